import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { CLOCK_SKEW_MAX_MS } from '../clock.ts'
import { systemContext } from '../context.ts'
import { Problem } from '../problem.ts'
import { job, type JobDefinition } from '../registry.ts'
import { add, addMany, holdAnswers, leaveEffect, makeGate, openStage, teams, until } from './jobs.harness.ts'
import { AHEAD_MIN, LEASE_MS, WAKE_SPACING_MS } from './limits.ts'
import { enqueue, fence } from './queue.ts'
import { raw } from '../database/tables.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Leaves its effect and ends. */
const note = job('note', {}, async (ctx, job) => leaveEffect(ctx, job))

test('four workers in two pools run each of 800 due jobs exactly once', async () => {
  const stage = await openStage()
  const [one, two] = [stage.runtime([note]), stage.runtime([note])]
  const ids = [
    ...(await addMany(one, 400, { kind: 'note' })),
    ...(await addMany(two, 400, { kind: 'note' }, teams[1])),
  ]
  const workers = [one, one, two, two].map(runtime => stage.worker(runtime, { aheadMax: 16 }))
  const done = () => workers.reduce((sum, worker) => sum + worker.stats().done, 0)
  await until(() => done() >= 800)
  expect((await stage.effects()).toSorted()).toEqual(ids.toSorted())
  expect(await stage.jobs()).toEqual([])
  expect(done()).toBe(800)
})

test('a sleeping job waits for its time', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([note])
  const ctx = systemContext(runtime)
  const sleeper = await add(runtime, { kind: 'note', run_at: ctx.in(3 * DAY_MS) })
  const now = await add(runtime, { kind: 'note' })
  const worker = stage.worker(runtime)
  await until(() => worker.stats().done === 1)
  stage.clock.advance(3 * DAY_MS - 1)
  const later = await add(runtime, { kind: 'note' })
  await until(() => worker.stats().done === 2)
  expect(await stage.effects()).toEqual([now, later])
  stage.clock.advance(1)
  await until(() => worker.stats().done === 3)
  expect(await stage.effects()).toEqual([now, later, sleeper])
})

test('a job enqueued in this process is begun by its commit, not by the next poll', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([note])
  const worker = stage.worker(runtime, { pollMs: 60_000 })
  await until(() => runtime.pool.stats().total > 0)
  await add(runtime, { kind: 'note' })
  await until(() => worker.stats().done === 1)
})

test('a job enqueued while a claim is under way is begun by the next one, not by the next poll', async () => {
  const stage = await openStage()
  const gate = makeGate()
  const runtime = stage.runtime([note])
  let claims = 0
  runtime.pool = holdAnswers(runtime.pool, statements => {
    // The claim has found nothing, and its answer is on the way.
    const isClaim = statements.some(({ text }) => text.startsWith('update jobs set owner'))
    if (isClaim && ++claims === 1) return gate.passed
  })
  const worker = stage.worker(runtime, { pollMs: 60_000 })
  await until(() => claims === 1)
  await add(stage.runtime(), { kind: 'note' })
  worker.wake()
  await new Promise(resolve => setTimeout(resolve, 5 * WAKE_SPACING_MS))
  gate.open()
  await until(() => worker.stats().done === 1)
})

test('an enqueueing transaction that rolls back leaves no job', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([note])
  const ctx = systemContext(runtime, teams[0])
  const failing = ctx.transaction(async ctx => {
    await ctx.all(raw(sql`select 1`))
    enqueue(ctx, { kind: 'note' })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await stage.jobs()).toEqual([])
})

test('a job gets its team, its data and a request id of its own', async () => {
  const stage = await openStage()
  const seen: unknown[] = []
  const look = job('look', {}, async (ctx, job) => {
    seen.push([ctx.hasTeam && ctx.team_id, job.data, ctx.request?.id, job.event_id])
  })
  const runtime = stage.runtime([look])
  const first = await add(runtime, { kind: 'look', data: { a: ["'", '"', '\\', '{}', 'ü', null] } })
  const second = await systemContext(runtime).transaction(async ctx => {
    return enqueue(ctx, { kind: 'look' })
  })
  const worker = stage.worker(runtime)
  await until(() => worker.stats().done === 2)
  expect(seen).toContainEqual([teams[0], { a: ["'", '"', '\\', '{}', 'ü', null] }, `job-${first}`, null])
  expect(seen).toContainEqual([false, null, `job-${second}`, null])
})

test('a handler that throws leaves no effect, and is tried again later and later', async () => {
  const stage = await openStage()
  const calls: number[] = []
  const stubborn = job('stubborn', {}, async (ctx, job) => {
    calls.push(job.attempts)
    leaveEffect(ctx, job)
    await ctx.all(raw(sql`select 1`))
    if (job.attempts < 4) throw new Error(`not at try ${job.attempts}`)
  })
  const runtime = stage.runtime([stubborn])
  const ctx = systemContext(runtime)
  const id = await add(runtime, { kind: 'stubborn' })
  const worker = stage.worker(runtime)
  for (const [tries, waitMs] of [
    [1, 1_000],
    [2, 5_000],
    [3, 30_000],
  ] as const) {
    await until(() => worker.stats().failed === tries)
    const [row] = await stage.jobs()
    expect(row).toMatchObject({
      state: 'ready',
      owner: null,
      attempts: tries,
      last_error: `not at try ${tries}`,
    })
    expect(row!.run_at >= ctx.in(0.8 * waitMs) && row!.run_at <= ctx.in(1.2 * waitMs)).toBe(true)
    expect(await stage.effects()).toEqual([])
    stage.clock.advance(1.2 * waitMs)
  }
  await until(() => worker.stats().done === 1)
  expect(calls).toEqual([1, 2, 3, 4])
  expect(await stage.effects()).toEqual([id])
  expect(await stage.jobs()).toEqual([])
})

test('a failing write that nobody waited for fails the job', async () => {
  const stage = await openStage()
  const broken = job('broken', {}, async (ctx, job) => {
    leaveEffect(ctx, job)
    ctx.later(raw(sql`insert into effects (job_id) values (null)`))
  })
  const runtime = stage.runtime([broken])
  await add(runtime, { kind: 'broken' })
  const worker = stage.worker(runtime)
  await until(() => worker.stats().failed === 1)
  expect(await stage.effects()).toEqual([])
  expect((await stage.jobs())[0]!.last_error).toContain('null value')
})

test('after its last try a job is dead, and is not touched again', async () => {
  const stage = await openStage()
  const hopeless = job('hopeless', { triesMax: 2 }, async () => {
    throw new Error('never works')
  })
  const runtime = stage.runtime([hopeless])
  await add(runtime, { kind: 'hopeless' })
  const worker = stage.worker(runtime)
  await until(() => worker.stats().failed === 1)
  stage.clock.advance(2_000)
  await until(() => worker.stats().dead === 1)
  const [row] = await stage.jobs()
  expect(row).toMatchObject({
    state: 'dead',
    owner: null,
    attempts: 2,
    last_error: 'never works',
    failed_at: systemContext(runtime).now(),
  })
  stage.clock.advance(30 * DAY_MS)
  await add(runtime, { kind: 'hopeless' })
  await until(() => worker.stats().failed === 3)
  expect((await stage.jobs()).map(job => job.attempts)).toEqual([2, 1])
})

test('a job of a kind nobody knows is tried again, so that a newer release can take it', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([])
  await add(runtime, { kind: 'of.tomorrow' })
  const worker = stage.worker(runtime)
  await until(() => worker.stats().failed === 1)
  expect((await stage.jobs())[0]).toMatchObject({ state: 'ready', last_error: 'no handler for of.tomorrow' })
  await worker.stop()
  stage.clock.advance(2_000)
  const newer = stage.worker(
    stage.runtime([job('of.tomorrow', {}, async (ctx, job) => leaveEffect(ctx, job))]),
  )
  await until(() => newer.stats().done === 1)
})

test('an error without a message, and one that is far too long, are kept within bounds', async () => {
  const stage = await openStage()
  const odd = job('odd', {}, async (_, job) => {
    throw job.data === 'long' ? new Error('x'.repeat(100_000)) : 'just text'
  })
  const runtime = stage.runtime([odd])
  await add(runtime, { kind: 'odd', data: 'long' })
  await add(runtime, { kind: 'odd' })
  const worker = stage.worker(runtime)
  await until(() => worker.stats().failed === 2)
  const errors = (await stage.jobs()).map(job => job.last_error)
  expect(errors.toSorted()).toEqual(['just text', 'x'.repeat(2_000)])
})

/** A worker that takes what is there when it starts, and then gives no sign of life, as one that is frozen. */
const FROZEN = { heartbeatMs: 3_600_000, pollMs: 3_600_000 }

test('a worker frozen past its lease and woken again writes nothing', async () => {
  const stage = await openStage()
  const gate = makeGate()
  const handled: string[] = []
  const at = (name: string, wait: Promise<void>): JobDefinition =>
    job('slow', {}, async (ctx, job) => {
      leaveEffect(ctx, job, name)
      await ctx.all(raw(sql`select 1`))
      handled.push(name)
      await wait
      leaveEffect(ctx, job, name)
    })
  const id = await add(stage.runtime(), { kind: 'slow' })
  const frozen = stage.worker(stage.runtime([at('frozen', gate.passed)]), FROZEN)
  await until(() => handled.includes('frozen'))
  const other = stage.worker(stage.runtime([at('other', Promise.resolve())]))
  stage.clock.advance(LEASE_MS - 1)
  const polled = await add(stage.runtime(), { kind: 'slow' })
  await until(() => other.stats().done === 1)
  expect(handled).toEqual(['frozen', 'other'])
  stage.clock.advance(1)
  await until(() => other.stats().done === 2)
  gate.open()
  await until(() => frozen.stats().failed === 1)
  expect(frozen.stats()).toMatchObject({ done: 0, failed: 1, dead: 0 })
  const effects = await stage.database.query<{ job_id: string; note: string }>('select * from effects')
  expect(effects).toEqual([polled, polled, id, id].map(job_id => ({ job_id, note: 'other' })))
})

test('a frozen worker that wakes while the other still works writes nothing either', async () => {
  const stage = await openStage()
  const gates = { frozen: makeGate(), other: makeGate() }
  const handled: string[] = []
  const at = (name: keyof typeof gates) =>
    job('slow', {}, async (ctx, job) => {
      leaveEffect(ctx, job, name)
      handled.push(name)
      await gates[name].passed
    })
  await add(stage.runtime(), { kind: 'slow' })
  const frozen = stage.worker(stage.runtime([at('frozen')]), FROZEN)
  await until(() => handled.includes('frozen'))
  stage.clock.advance(LEASE_MS)
  const other = stage.worker(stage.runtime([at('other')]))
  await until(() => handled.includes('other'))
  gates.frozen.open()
  await until(() => frozen.stats().failed === 1)
  expect(await stage.effects()).toEqual([])
  expect(await stage.jobs()).toHaveLength(1)
  gates.other.open()
  await until(() => other.stats().done === 1)
  expect(await stage.database.query('select note from effects')).toEqual([{ note: 'other' }])
})

test('work that reaches outside can fence its own transactions', async () => {
  const stage = await openStage()
  const gate = makeGate()
  const began: string[] = []
  const at = (name: string, wait: Promise<void>) =>
    job('send', { outgoing: true }, async (ctx, job) => {
      began.push(name)
      await wait
      await ctx.transaction(async ctx => {
        leaveEffect(ctx, job, name)
        fence(ctx, job)
      })
    })
  await add(stage.runtime([at('', gate.passed)]), { kind: 'send' })
  const frozen = stage.worker(stage.runtime([at('frozen', gate.passed)]), FROZEN)
  await until(() => began.length === 1)
  stage.clock.advance(LEASE_MS)
  const other = stage.worker(stage.runtime([at('other', Promise.resolve())]))
  await until(() => other.stats().done === 1)
  gate.open()
  await until(() => frozen.stats().failed === 1)
  expect(await stage.database.query('select note from effects')).toEqual([{ note: 'other' }])
})

test('a heartbeat keeps work that takes longer than a lease', async () => {
  const stage = await openStage()
  const gate = makeGate()
  const slow = job('slow', {}, async (ctx, job) => {
    leaveEffect(ctx, job)
    await gate.passed
  })
  const id = await add(stage.runtime(), { kind: 'slow' })
  const worker = stage.worker(stage.runtime([slow]), { heartbeatMs: 5 })
  await until(() => worker.stats().inHand === 1)
  const other = stage.worker(stage.runtime([slow]))
  for (let beats = 0; beats < 5; beats++) {
    stage.clock.advance(LEASE_MS - 1)
    const renewed = systemContext(stage.runtime()).in(LEASE_MS)
    await until(async () => (await stage.jobs())[0]!.run_at === renewed)
  }
  gate.open()
  await until(() => worker.stats().done === 1)
  expect(other.stats()).toEqual({ done: 0, failed: 0, dead: 0, inHand: 0 })
  expect(await stage.effects()).toEqual([id])
})

test('a job that was lost while it waited for a slot is not begun', async () => {
  const stage = await openStage()
  const gate = makeGate()
  const begun: string[] = []
  const slow = job('slow', {}, async (_, job) => {
    begun.push(job.id)
    await gate.passed
  })
  const runtime = stage.runtime([slow])
  const ids = await addMany(runtime, 3, { kind: 'slow' })
  const worker = stage.worker(runtime, { concurrency: 1, heartbeatMs: 5 })
  await until(() => begun.length === 1 && worker.stats().inHand === 3)
  const [stolen, kept] = ids.filter(id => !begun.includes(id))
  await stage.database.query('update jobs set owner = $1 where id = $2', ['thief', stolen])
  await until(() => worker.stats().inHand === 2)
  gate.open()
  await until(() => worker.stats().done === 2)
  expect(begun.slice(1)).toEqual([kept])
  expect((await stage.jobs()).map(job => [job.id, job.owner])).toEqual([[stolen, 'thief']])
})

test('leases are kept when jobs hold every other connection', async () => {
  const stage = await openStage()
  const gate = makeGate()
  let holding = 0
  const greedy = job('greedy', {}, async ctx => {
    await ctx.all(raw(sql`select 1`))
    holding++
    await gate.passed
  })
  const runtime = stage.runtime([greedy], { poolSize: 3 })
  await addMany(stage.runtime(), 2, { kind: 'greedy' })
  const worker = stage.worker(runtime, { heartbeatMs: 5 })
  await until(() => holding === 2)
  expect(runtime.pool.stats()).toMatchObject({ total: 3, idle: 0 })
  stage.clock.advance(LEASE_MS - 1)
  const renewed = systemContext(runtime).in(LEASE_MS)
  await until(async () => (await stage.jobs()).every(job => job.run_at === renewed))
  gate.open()
  await until(() => worker.stats().done === 2)
})

test('stop finishes what runs, hands back the rest at once, and takes nothing more', async () => {
  const stage = await openStage()
  const gate = makeGate()
  let running = 0
  const slow = job('slow', {}, async (ctx, job) => {
    running++
    leaveEffect(ctx, job)
    await gate.passed
  })
  const runtime = stage.runtime([slow])
  await addMany(runtime, 20, { kind: 'slow' })
  const worker = stage.worker(runtime, { concurrency: 4 })
  await until(() => running === 4 && worker.stats().inHand === 20)
  const stopped = worker.stop()
  await until(async () => (await stage.jobs()).filter(job => job.owner === null).length === 16)
  const back = (await stage.jobs()).filter(job => job.owner === null)
  expect(back.every(job => job.attempts === 0 && job.state === 'ready')).toBe(true)
  await add(runtime, { kind: 'slow' })
  gate.open()
  await stopped
  expect(running).toBe(4)
  expect(worker.stats()).toEqual({ done: 4, failed: 0, dead: 0, inHand: 0 })
  expect(await stage.jobs()).toHaveLength(17)
  const next = stage.worker(stage.runtime([note, job('slow', {}, async (ctx, job) => leaveEffect(ctx, job))]))
  await until(() => next.stats().done === 17)
  expect(new Set(await stage.effects()).size).toBe(21)
})

test('of slow jobs a worker keeps few waiting, so that an idle one gets its share', async () => {
  const stage = await openStage()
  const gate = makeGate()
  const slow = job('slow', {}, async () => gate.passed)
  const runtime = stage.runtime([slow])
  await addMany(runtime, 60, { kind: 'slow' })
  const [busy, idle] = [
    stage.worker(runtime, { concurrency: 4 }),
    stage.worker(stage.runtime([slow]), { concurrency: 4 }),
  ]
  await until(() => busy.stats().inHand + idle.stats().inHand === 2 * (4 + AHEAD_MIN))
  expect(busy.stats().inHand).toBe(idle.stats().inHand)
  gate.open()
  await until(() => busy.stats().done + idle.stats().done === 60)
})

test('stopping twice, and stopping at once, are as good as once', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([note])
  await addMany(runtime, 5, { kind: 'note' })
  const worker = stage.worker(runtime)
  await Promise.all([worker.stop(), worker.stop()])
  expect((await stage.jobs()).length + (await stage.effects()).length).toBe(5)
  expect((await stage.jobs()).every(job => job.owner === null && job.attempts === 0)).toBe(true)
})

test('a hanging job is given up after its time, holds up nobody, and writes nothing when it wakes', async () => {
  const stage = await openStage()
  const gate = makeGate()
  let woke: unknown
  const hanging = job('hanging', { triesMax: 1 }, async (ctx, job) => {
    leaveEffect(ctx, job)
    await ctx.all(raw(sql`select 1`))
    await gate.passed
    woke = await ctx.all(raw(sql`select 1`)).catch((error: Error) => error.message)
    leaveEffect(ctx, job)
  })
  const runtime = stage.runtime([hanging, note], { poolSize: 4 })
  await addMany(runtime, 2, { kind: 'hanging' })
  const worker = stage.worker(runtime, { concurrency: 2, timeMaxMs: 1_000 })
  await until(() => worker.stats().inHand === 2)
  const good = await addMany(runtime, 50, { kind: 'note' })
  await until(() => worker.stats().dead === 2)
  await until(() => worker.stats().done === 50)
  gate.open()
  await until(() => woke)
  expect(woke).toEqual(expect.any(String))
  expect((await stage.effects()).toSorted()).toEqual(good.toSorted())
  expect((await stage.jobs()).map(job => [job.state, job.last_error])).toEqual([
    ['dead', 'took longer than 1 s'],
    ['dead', 'took longer than 1 s'],
  ])
  // No connection was left behind in an open transaction.
  const open = await stage.database.query(
    `select from pg_stat_activity where datname = current_database() and state like 'idle in%'`,
  )
  expect(open).toEqual([])
})

test('a send that took too long writes nothing when it wakes', async () => {
  const stage = await openStage()
  const gate = makeGate()
  let woke: unknown
  const send = job('send', { outgoing: true, triesMax: 1 }, async (ctx, job) => {
    await gate.passed
    woke = await ctx.transaction(async ctx => leaveEffect(ctx, job)).catch((error: Error) => error.message)
  })
  const runtime = stage.runtime([send])
  await add(runtime, { kind: 'send' })
  const worker = stage.worker(runtime, { timeMaxMs: 20 })
  await until(() => worker.stats().dead === 1)
  gate.open()
  await until(() => woke)
  expect(woke).toBe('took longer than 0.02 s')
  expect(await stage.effects()).toEqual([])
})

test('a hanging send holds up no work inside, and no other send', async () => {
  const stage = await openStage()
  const gate = makeGate()
  const send = job('send', { outgoing: true }, async (ctx, job) => {
    if (job.data === 'hang') await gate.passed
    await ctx.transaction(async ctx => leaveEffect(ctx, job))
  })
  const runtime = stage.runtime([send, note])
  const hanging = await addMany(runtime, 3, { kind: 'send', data: 'hang' })
  const worker = stage.worker(runtime, { outgoingConcurrency: 4 })
  await until(() => worker.stats().inHand === 3)
  await addMany(runtime, 20, { kind: 'send' })
  await addMany(runtime, 20, { kind: 'note' })
  await until(() => worker.stats().done === 40)
  gate.open()
  await until(() => worker.stats().done === 43)
  expect((await stage.effects()).filter(id => hanging.includes(id))).toHaveLength(3)
})

test('connections that break in the middle cost retries, never an effect', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([
    job('note', { triesMax: 1_000 }, async (ctx, job) => {
      leaveEffect(ctx, job)
      await ctx.all(raw(sql`select 1`))
    }),
  ])
  const ids = await addMany(runtime, 600, { kind: 'note' })
  const worker = stage.worker(runtime, { aheadMax: 16 })
  for (let breaks = 1; breaks <= 4; breaks++) {
    await until(() => worker.stats().done >= breaks * 100)
    await stage.database.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
  }
  await until(async () => {
    // Backoffs and leases pass by the clock of the test.
    stage.clock.advance(1_000)
    return (await stage.jobs()).length === 0
  })
  expect((await stage.effects()).toSorted()).toEqual(ids.toSorted())
})

test.each(['note', 'send'])('what a claim took whose answer was lost waits for no lease: %s', async kind => {
  const stage = await openStage()
  const send = job('send', { outgoing: true }, async (ctx, job) =>
    ctx.transaction(async ctx => leaveEffect(ctx, job)),
  )
  const runtime = stage.runtime([note, send])
  let lost = 0
  const pool = holdAnswers(runtime.pool, async statements => {
    const [row] = lost === 0 ? await stage.jobs() : []
    if (!row?.owner || !statements.some(({ values }) => values.includes(row.owner))) return
    lost++
    throw new Problem('unavailable', 'gone', { code: 'database_unavailable' })
  })
  const id = await add(runtime, { kind })
  // The clock stands still: no lease ends.
  const worker = stage.worker({ ...runtime, pool })
  await until(() => worker.stats().done === 1)
  expect(lost).toBe(1)
  expect(await stage.effects()).toEqual([id])
  expect(await stage.jobs()).toEqual([])
})

test('a database that goes away and comes back is taken up again', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([note])
  const worker = stage.worker(runtime, { heartbeatMs: 5 })
  await add(runtime, { kind: 'note' })
  await until(() => worker.stats().done === 1)
  await stage.database.query('update pg_database set datallowconn = false where datname = current_database()')
  await stage.database.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  await expect(add(runtime, { kind: 'note' })).rejects.toThrow()
  await stage.database.query(`update pg_database set datallowconn = true where datname = current_database()`)
  await until(() => add(runtime, { kind: 'note' }).catch(() => undefined))
  await until(() => worker.stats().done === 2)
})

test('one team with 20,000 due jobs holds up no other', async () => {
  const stage = await openStage()
  const order: string[] = []
  const mark = job('mark', {}, async (_, job) => void order.push(job.team_id))
  const runtime = stage.runtime([mark])
  const ctx = systemContext(runtime)
  await fill(stage.database.query, 'mark', teams[0], 20_000, ctx.in(-60_000))
  // Teams that only sleep stand between the large one and the others, as in any installation.
  const sleeping = Array.from({ length: 100 }, (_, at) => `7${at.toString(16).padStart(23, '0')}`)
  for (const team of sleeping) await fill(stage.database.query, 'mark', team, 3, ctx.in(DAY_MS))
  const worker = stage.worker(runtime, { aheadMax: 64, concurrency: 4 })
  await until(() => order.length > 500)
  const late = [teams[1], 'ffffffffffffffffffffffff']
  // Counted from when each was added for certain: how many run while it is being added is a matter of the machine.
  const added = new Map<string, number>()
  for (const team of late) {
    await add(runtime, { kind: 'mark' }, team)
    added.set(team, order.length)
  }
  await until(() => late.every(team => order.includes(team)))
  // A couple of batches are in hand; then comes their turn, at the latest when all teams were looked at once.
  for (const team of late) expect(order.indexOf(team) - added.get(team)!).toBeLessThan(64 * 8)
  await worker.stop()
})

test('teams with a backlog each take turns', async () => {
  const stage = await openStage()
  const order: string[] = []
  const mark = job('mark', {}, async (_, job) => void order.push(job.team_id))
  const runtime = stage.runtime([mark])
  const ctx = systemContext(runtime)
  for (const [team, agoMs] of [
    [teams[0], 300_000],
    [teams[1], 200_000],
    [teams[2], 100_000],
  ] as const) {
    await fill(stage.database.query, 'mark', team, 1_200, ctx.in(-agoMs))
  }
  const worker = stage.worker(runtime, { aheadMax: 64, concurrency: 4 })
  await until(() => order.length >= 800)
  await worker.stop()
  // The oldest fill what the turns leave free; the turns give each team its eighth.
  for (const team of teams)
    expect(order.slice(0, 800).filter(other => other === team).length).toBeGreaterThan(60)
})

test('work of the installation itself has its turn beside the teams', async () => {
  const stage = await openStage()
  const order: string[] = []
  const mark = job('mark', {}, async (_, job) => void order.push(job.team_id))
  const runtime = stage.runtime([mark])
  await fill(stage.database.query, 'mark', teams[0], 5_000, systemContext(runtime).in(-60_000))
  await fill(stage.database.query, 'mark', '', 1, systemContext(runtime).now())
  const worker = stage.worker(runtime, { aheadMax: 32, concurrency: 2 })
  await until(() => order.includes(''))
  expect(order.indexOf('')).toBeLessThan(32 * 5)
  await worker.stop()
})

test('jobs of a worker that died with its clock hours ahead run again soon, and what sleeps sleeps on', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([note])
  const ctx = systemContext(runtime)
  const own = (id: string, aheadMs: number) =>
    stage.database.query('update jobs set owner = $1, run_at = $2 where id = $3', [
      'killed',
      ctx.in(aheadMs),
      id,
    ])
  const owned = await add(runtime, { kind: 'note' })
  await own(owned, 6 * HOUR_MS + LEASE_MS)
  // As far ahead as clocks of two machines may be: its owner may be alive.
  const near = await add(runtime, { kind: 'note' })
  await own(near, LEASE_MS + CLOCK_SKEW_MAX_MS)
  const sleeper = await add(runtime, { kind: 'note', run_at: ctx.in(6 * HOUR_MS) })
  const worker = stage.worker(runtime, { heartbeatMs: 5, pollMs: 60_000 })
  const dueAt = async (wanted: string) => (await stage.jobs()).find(({ id }) => id === wanted)!.run_at
  await until(async () => (await dueAt(owned)) <= ctx.in(LEASE_MS))
  expect(await dueAt(near)).toBe(ctx.in(LEASE_MS + CLOCK_SKEW_MAX_MS))
  stage.clock.advance(LEASE_MS)
  worker.wake()
  await until(() => worker.stats().done === 1)
  expect(await stage.effects()).toEqual([owned])
  expect((await stage.jobs()).map(job => job.id).toSorted()).toEqual([near, sleeper].toSorted())
})

test('when the clock is set back three days, what was due runs, and what sleeps sleeps on', async () => {
  const stage = await openStage()
  const failing = job('failing', {}, async (ctx, job) => {
    if (job.attempts === 1) throw new Error('once')
    leaveEffect(ctx, job)
  })
  const runtime = stage.runtime([note, failing])
  const ctx = systemContext(runtime)
  const retried = await add(runtime, { kind: 'failing' })
  const first = stage.worker(runtime, { heartbeatMs: 5 })
  await until(() => first.stats().failed === 1)
  await first.stop()
  const due = await add(runtime, { kind: 'note' })
  const owned = await add(runtime, { kind: 'note' })
  await stage.database.query('update jobs set owner = $1, run_at = $2 where id = $3', [
    'killed',
    ctx.in(LEASE_MS),
    owned,
  ])
  const sleeper = await add(runtime, { kind: 'note', run_at: ctx.in(DAY_MS) })
  const worker = stage.worker(runtime, { heartbeatMs: 5, pollMs: 60_000 })
  stage.clock.advance(-3 * DAY_MS)
  // The one that was due may have been claimed before the clock went back.
  const isSoon = (job: { id: string; run_at: string }) => job.id === sleeper || job.run_at <= ctx.in(LEASE_MS)
  await until(async () => (await stage.jobs()).every(isSoon))
  stage.clock.advance(LEASE_MS)
  worker.wake()
  await until(() => worker.stats().done === 3)
  expect((await stage.effects()).toSorted()).toEqual([retried, due, owned].toSorted())
  expect((await stage.jobs()).map(job => job.id)).toEqual([sleeper])
  stage.clock.advance(4 * DAY_MS)
  worker.wake()
  await until(() => worker.stats().done === 4)
})

test('when the clock leaps three days ahead, everything runs once', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([note])
  const ctx = systemContext(runtime)
  const ids: string[] = []
  for (let hour = 0; hour < 72; hour++)
    ids.push(await add(runtime, { kind: 'note', run_at: ctx.in(hour * 3_600_000) }))
  const workers = [
    stage.worker(runtime, { heartbeatMs: 5 }),
    stage.worker(stage.runtime([note]), { heartbeatMs: 5 }),
  ]
  stage.clock.advance(3 * DAY_MS)
  await until(async () => (await stage.jobs()).length === 0)
  expect((await stage.effects()).toSorted()).toEqual(ids.toSorted())
  expect(workers.reduce((sum, worker) => sum + worker.stats().done, 0)).toBe(72)
})

type Query = (text: string, values: unknown[]) => Promise<unknown>

async function fill(query: Query, kind: string, team: string, count: number, run_at: string): Promise<void> {
  await query(
    `insert into jobs (id, kind, team_id, run_at) select lpad(to_hex(i), 8, '0') || right(md5($3 || i), 16), $1, $3, $4
     from generate_series(1, $2::int) as i`,
    [kind, count, team, run_at],
  )
}
