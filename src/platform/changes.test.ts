import { expect, inject, onTestFinished, test } from 'vitest'
import fc from 'fast-check'
import pg from 'pg'
import { formatPosition, parsePosition, pruneChanges, type Change, type Position } from './changes.ts'
import { systemContext, type Runtime } from './context.ts'
import { t } from './contract.ts'
import { defineEvent, record } from './events.ts'
import { makeGate, openStage, teams, until } from './jobs/jobs.harness.ts'
import { teamSetting } from './database/team-setting.ts'

const said = defineEvent('test.said', t.Object({ n: t.Integer() }), { live: 'leads:read' })
const DAY_MS = 86_400_000

async function say(runtime: Runtime, n: number, team: string = teams[0]): Promise<void> {
  await systemContext(runtime, team).transaction(
    async ctx => void record(ctx, said, { kind: 'thing', id: ctx.newId() }, { n }),
  )
}

async function sayMany(runtime: Runtime, count: number): Promise<void> {
  await systemContext(runtime, teams[0]).transaction(async ctx => {
    for (let n = 0; n < count; n++) record(ctx, said, { kind: 'thing', id: ctx.newId() }, { n })
  })
}

const numberOf = (change: Change) => (change.message as { data: { n: number } }).data.n

/** A listener that collects what it hears; `leave` goes away. A reset is heard as the word. */
function listen(runtime: Runtime, options: { team?: string; from?: Position } = {}) {
  const leaving = new AbortController()
  const heard: (number | 'reset')[] = []
  const positions: Position[] = []
  let over = false
  const done = (async () => {
    for await (const change of runtime.changes.read(options.team ?? teams[0], options.from, leaving.signal)) {
      heard.push(change ? numberOf(change) : 'reset')
      if (change) positions.push({ xid: change.xid, event_id: change.event_id })
    }
    over = true
  })()
  onTestFinished(() => leaving.abort())
  return { heard, positions, done, leave: () => leaving.abort(), isOver: () => over }
}

/** Says something until it is heard: from then on the listener misses nothing. */
async function settle(runtime: Runtime, ...listeners: ReturnType<typeof listen>[]): Promise<void> {
  await until(async () => {
    await say(runtime, -1)
    return listeners.every(listener => listener.heard.includes(-1))
  })
  // What was said twice is on its way still: one more, and all are in.
  await say(runtime, -2)
  await until(() => listeners.every(listener => listener.heard.includes(-2)))
  for (const { heard, positions } of listeners) {
    heard.length = 0
    positions.length = 0
  }
}

test('a transaction that began earlier and commits later is not skipped', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const listener = listen(runtime)
  await settle(runtime, listener)
  const slow = await runtime.pool.checkOut()
  const insert = `insert into changes (event_id, team_id, scope, at, message)
    values ('65e2f00000000000000000aa', '${teams[0]}', 'leads:read', now(), '{"data": {"n": 1}}')`
  await slow.flush([{ text: 'begin', values: [] }, teamSetting(teams[0]!), { text: insert, values: [] }])
  await say(runtime, 2)
  await say(runtime, 3)
  // Somebody who comes now, and knows what was committed, waits for the slow one too.
  const elsewhere = stage.runtime()
  const queries = countQueries(elsewhere)
  const late = listen(elsewhere)
  await until(() => queries() > 1)
  await slow.flush([{ text: 'commit', values: [] }])
  slow.release()
  await until(() => listener.heard.length === 3 && late.heard.length === 3)
  expect(listener.heard).toEqual([1, 2, 3])
  expect(late.heard).toEqual([1, 2, 3])
})

test('a slow transaction that rolls back holds up the others only until then', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const listener = listen(runtime)
  await settle(runtime, listener)
  const slow = await runtime.pool.checkOut()
  await slow.flush([
    { text: 'begin', values: [] },
    { text: 'select pg_current_xact_id()', values: [] },
  ])
  await say(runtime, 1)
  await slow.flush([{ text: 'rollback', values: [] }])
  slow.release()
  await until(() => listener.heard.length === 1)
})

test('a transaction that writes in another database of the same server holds up nobody', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const listener = listen(runtime)
  await settle(runtime, listener)
  const stranger = new pg.Client({ connectionString: inject('postgresUrl') })
  await stranger.connect()
  onTestFinished(() => stranger.end())
  await stranger.query('begin')
  await stranger.query('select pg_current_xact_id()')
  await say(runtime, 1)
  await until(() => listener.heard.length === 1)
  // Who comes back to a place after it began is not told to start afresh.
  const resumed = listen(stage.runtime(), { from: listener.positions[0]! })
  await until(async () => {
    await say(runtime, 2)
    return resumed.heard.length > 0
  })
  expect(resumed.heard).not.toContain('reset')
  stage.clock.advance(DAY_MS + 1)
  await until(async () => (await pruneChanges(systemContext(runtime))) > 0)
})

test('listeners in two processes hear all that either says, in the same order, once', async () => {
  const stage = await openStage()
  const [one, two] = [stage.runtime(), stage.runtime()]
  const listeners = [listen(one), listen(one), listen(two)]
  await settle(one, ...listeners)
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 50; n++) await say(writer % 2 ? one : two, writer * 50 + n)
    }),
  )
  await until(() => listeners.every(({ heard }) => heard.length >= 400))
  const [first] = listeners
  expect(first!.heard.toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 400 }, (_, n) => n),
  )
  for (const { heard } of listeners) expect(heard).toEqual(first!.heard)
})

test('listeners that come at the same moment each hear everything once', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  for (let round = 0; round < 3; round++) {
    const listeners = Array.from({ length: 5 }, () => listen(runtime))
    await settle(runtime, ...listeners)
    for (let n = 0; n < 5; n++) await say(runtime, n)
    await until(() => listeners.every(({ heard }) => heard.length >= 5))
    for (const { heard, leave } of listeners) {
      expect(heard).toEqual([0, 1, 2, 3, 4])
      leave()
    }
  }
})

test('other teams hear nothing', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const [ours, theirs] = [listen(runtime), listen(runtime, { team: teams[1] })]
  await settle(runtime, ours)
  await until(async () => {
    await say(runtime, 7, teams[1])
    return theirs.heard.length > 0
  })
  for (let n = 0; n < 20; n++) await say(runtime, n, n % 2 ? teams[0] : teams[1])
  await until(() => ours.heard.includes(19) && theirs.heard.includes(18))
  expect(ours.heard).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19])
  expect(theirs.heard.filter(n => n !== 7)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18])
})

test('a process reads the changes of the teams that somebody listens to there, and no others', async () => {
  const stage = await openStage()
  const [runtime, writer] = [stage.runtime(), stage.runtime()]
  const listener = listen(runtime)
  await settle(runtime, listener)
  const read: unknown[] = []
  const { flush } = runtime.pool
  runtime.pool.flush = async statements => {
    const results = await flush(statements)
    for (const { rows } of results) read.push(...rows.filter(row => (row as Partial<Change>).message))
    return results
  }
  for (let n = 0; n < 30; n++) await say(writer, n, n % 10 ? teams[1] : teams[0])
  await until(() => listener.heard.length === 3)
  expect(listener.heard).toEqual([0, 10, 20])
  expect(read).toHaveLength(3)
  // From the moment somebody listens to the other team as well, both are read, in one order.
  const theirs = listen(runtime, { team: teams[1] })
  await settle(writer, listener)
  await until(async () => {
    await say(writer, 99, teams[1])
    return theirs.heard.includes(99)
  })
})

test('who resumes, in whichever process, hears exactly what was missed', async () => {
  const stage = await openStage()
  const [one, two] = [stage.runtime(), stage.runtime()]
  const first = listen(one)
  await settle(one, first)
  for (let n = 0; n < 10; n++) await say(one, n)
  await until(() => first.heard.length === 10)
  const before = listen(two)
  for (let last = 0; last < 10; last++) {
    const from = parsePosition(formatPosition(first.positions[last]!))!
    const resumed = [listen(one, { from }), listen(two, { from })]
    await say(two, 100 + last)
    await until(() => resumed.every(({ heard }) => heard.includes(100 + last)))
    const missed = [
      ...Array.from({ length: 9 - last }, (_, n) => last + 1 + n),
      ...Array.from({ length: last + 1 }, (_, n) => 100 + n),
    ]
    for (const { heard, leave } of resumed) {
      expect(heard).toEqual(missed)
      leave()
    }
  }
  before.leave()
})

test('who resumes in a process that lags behind is told nothing twice', async () => {
  const stage = await openStage()
  const [ahead, behind] = [stage.runtime(), stage.runtime()]
  const [quick, slow] = [listen(ahead), listen(behind)]
  await settle(ahead, quick, slow)
  for (let n = 0; n < 5; n++) {
    await say(ahead, n)
    await until(() => quick.heard.includes(n))
    const resumed = listen(behind, { from: quick.positions.at(-1)! })
    await say(ahead, 100 + n)
    await until(() => resumed.heard.includes(100 + n))
    expect(resumed.heard).toEqual([100 + n])
    resumed.leave()
    await until(() => quick.heard.includes(100 + n))
  }
})

test('a batch that ends in the middle of a transaction is read on without a gap, also by who resumes', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const listener = listen(runtime)
  await settle(runtime, listener)
  await sayMany(runtime, 2_500)
  await until(() => listener.heard.length === 2_500)
  expect(listener.heard).toEqual(Array.from({ length: 2_500 }, (_, n) => n))
  const resumed = listen(runtime, { from: listener.positions[1_999]! })
  await until(() => resumed.heard.length === 500)
  expect(resumed.heard).toEqual(Array.from({ length: 500 }, (_, n) => 2_000 + n))
})

test('who resumes while the feed stands in the middle of a transaction misses nothing of it', async () => {
  const stage = await openStage()
  const [runtime, writer] = [stage.runtime(), stage.runtime()]
  const listener = listen(runtime)
  await settle(runtime, listener)
  await say(writer, -5)
  await until(() => listener.heard.includes(-5))
  const { flush } = runtime.pool
  const [reading, gate] = [makeGate(), makeGate()]
  runtime.pool.flush = async statements => {
    const results = await flush(statements)
    if (results.at(-1)!.rows.length < 1_000) return results
    reading.open()
    await gate.passed
    return results
  }
  await sayMany(writer, 2_500)
  await reading.passed
  const resumed = listen(runtime, { from: listener.positions.at(-1)! })
  gate.open()
  await until(() => resumed.heard.length >= 2_500)
  expect(resumed.heard).toEqual(Array.from({ length: 2_500 }, (_, n) => n))
})

test('who missed too much, or more than is kept, is told to begin afresh, and then hears what comes', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const ctx = systemContext(runtime)
  const listener = listen(runtime)
  await settle(runtime, listener)
  await sayMany(runtime, 1_102)
  await until(() => listener.heard.length === 1_102)
  const tooMuch = listen(runtime, { from: listener.positions[100]! })
  const justNot = listen(runtime, { from: listener.positions[101]! })
  await until(() => tooMuch.heard.length === 1 && justNot.heard.length === 1_000)
  expect(tooMuch.heard).toEqual(['reset'])
  stage.clock.advance(DAY_MS + 1)
  await until(async () => (await pruneChanges(ctx)) > 1_000)
  const pruned = listen(runtime, { from: listener.positions.at(-1)! })
  await until(() => pruned.heard.length === 1)
  await say(runtime, 5)
  await until(() => pruned.heard.length === 2 && tooMuch.heard.length === 2)
  expect(pruned.heard).toEqual(['reset', 5])
  expect(tooMuch.heard).toEqual(['reset', 5])
})

test('a position of another server, ahead of this one, is not waited for', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const ahead = { xid: '900000000000', event_id: '65e2f00000000000000000bb' }
  await stage.database.query(
    `insert into changes (xid, event_id, team_id, scope, at, message) values ($1::text::xid8, $2, $3, 'leads:read', now(), '{"data": {"n": 0}}')`,
    [ahead.xid, ahead.event_id, teams[0]],
  )
  const listener = listen(runtime, { from: ahead })
  await until(() => listener.heard.length === 1)
  await say(runtime, 1)
  await until(() => listener.heard.length === 2)
  expect(listener.heard).toEqual(['reset', 1])
})

test('a listener that does not keep up is cut off, and the others are not', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const quick = listen(runtime)
  await settle(runtime, quick)
  const gone = new AbortController()
  const slow = runtime.changes.read(teams[0], undefined, gone.signal)[Symbol.asyncIterator]()
  await hearsFirst(runtime, slow, -3)
  for (let batch = 0; batch < 6; batch++) await sayMany(runtime, 1_000)
  await until(() => quick.heard.filter(n => n !== -3).length === 6_000)
  const rest: unknown[] = []
  for (let next = await slow.next(); !next.done; next = await slow.next())
    rest.push(next.value && numberOf(next.value))
  // What lay ready when it was cut off is dropped: after a reset it is read afresh anyway.
  expect(rest.at(-1)).toBe(undefined)
  expect(rest.filter(n => n !== -3).length).toBeLessThan(5_000)
  await say(runtime, 9)
  await until(() => quick.heard.at(-1) === 9)
})

test('who leaves is let go at once, idle or busy, and with the last one the reading stops', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const idle = listen(runtime)
  await settle(runtime, idle)
  const leaving = new AbortController()
  const busy = runtime.changes.read(teams[0], undefined, leaving.signal)[Symbol.asyncIterator]()
  await hearsFirst(runtime, busy, 1)
  // It leaves while it works at what it heard, not while it waits.
  leaving.abort()
  expect(await busy.next()).toEqual({ done: true, value: undefined })
  idle.leave()
  await idle.done
  const queries = countQueries(runtime)
  await say(runtime, 2)
  const before = queries()
  await new Promise(resolve => setTimeout(resolve, 400))
  expect(queries()).toBe(before)
  const again = listen(runtime)
  await settle(runtime, again)
})

test('who comes after it has left hears nothing and holds nothing', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const read = runtime.changes.read(teams[0], undefined, AbortSignal.abort())[Symbol.asyncIterator]()
  expect(await read.next()).toEqual({ done: true, value: undefined })
  const queries = countQueries(runtime)
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(queries()).toBe(0)
})

test('when the feed stops, every listener ends, and no new one begins', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const listeners = [listen(runtime), listen(runtime)]
  await settle(runtime, ...listeners)
  const notYetBegun = listen(runtime)
  runtime.changes.stop()
  await Promise.all([...listeners, notYetBegun].map(({ done }) => done))
  const late = listen(runtime)
  await late.done
  expect(late.heard).toEqual([])
})

test('lost connections to the database cost no change', async () => {
  const stage = await openStage()
  const [runtime, writer] = [stage.runtime(), stage.runtime()]
  const listener = listen(runtime)
  await settle(runtime, listener)
  for (let n = 0; n < 30; n++) {
    if (n % 10 === 5)
      await stage.database.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    await until(() =>
      say(writer, n).then(
        () => true,
        () => false,
      ),
    )
  }
  await until(() => listener.heard.length >= 30)
  expect(listener.heard).toEqual(Array.from({ length: 30 }, (_, n) => n))
})

test('a position is read back as it was written, and anything else is none', () => {
  const position = fc.record({
    xid: fc.bigInt({ min: 0n, max: 9_999_999_999_999_999_999n }).map(String),
    event_id: fc.stringMatching(/^[0-9a-f]{24}$/),
  })
  fc.assert(fc.property(position, one => void expect(parsePosition(formatPosition(one))).toEqual(one)))
  const strange = [
    '',
    '-',
    '1',
    '1-',
    '-65e2f00000000000000000aa',
    '1-65e2',
    'x-65e2f00000000000000000aa',
    "1'-65e2f00000000000000000aa",
  ]
  for (const text of [
    ...strange,
    undefined,
    '1-65E2F00000000000000000AA',
    '12345678901234567890-65e2f00000000000000000aa',
  ]) {
    expect(parsePosition(text)).toBe(undefined)
  }
})

/** Says something until the listener has heard a first word. */
async function hearsFirst(runtime: Runtime, listener: AsyncIterator<unknown>, n: number): Promise<void> {
  let heard = false
  void listener.next().then(() => (heard = true))
  await until(async () => {
    await say(runtime, n)
    return heard
  })
}

function countQueries(runtime: Runtime): () => number {
  let count = 0
  const { flush } = runtime.pool
  runtime.pool.flush = statements => {
    count++
    return flush(statements)
  }
  return () => count
}
