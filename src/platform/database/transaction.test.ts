import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { pino } from 'pino'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { FakeClock } from '../clock.ts'
import { systemContext, type Context, type Runtime } from '../context.ts'
import { counting, raw } from './tables.ts'
import { createRegistry } from '../registry.ts'
import { openPool } from './pool.ts'
import { teamSetting } from './team-setting.ts'
import { testPorts } from '#test/ports.ts'
import { plainSettings } from '#test/settings.ts'

const TEAM = '65e2f0000000000000000001'

let database: TestDatabase
let runtime: Runtime
let ctx: Context
let trips: number

beforeAll(async () => {
  database = await createDatabase()
  await database.query('create table things (n integer primary key, word text)')
  await database.query('grant all on things to rapport_app')
  const pool = openPool({ url: database.loginUrl, size: 4, onError: () => {} })
  runtime = {
    pool: {
      ...pool,
      // Every flush is a round trip, of a checked-out connection or of any.
      flush: statements => (trips++, pool.flush(statements)),
      async checkOut() {
        const checkout = await pool.checkOut()
        return { ...checkout, flush: statements => (trips++, checkout.flush(statements)) }
      },
    },
    clock: new FakeClock(),
    log: pino({ level: 'silent' }),
    registry: createRegistry({ jobs: [], reactions: [], scheduled: [], sweeps: [] }),
    settings: plainSettings,
    ports: testPorts(),
    wakeWorker: () => {},
    changes: undefined as never,
    windows: undefined as never,
  }
  ctx = systemContext(runtime, TEAM)
})
afterAll(async () => {
  await runtime.pool.close()
  await database.drop()
})
beforeEach(async () => {
  await database.query('truncate things')
  trips = 0
})

const insert = (n: number) => raw(sql`insert into things values (${n}, 'word')`)
const one = raw<{ one: number }>(sql`select 1 as one`)
const stored = async () =>
  (await database.query<{ n: number }>('select n from things order by n')).map(row => row.n)
const idle = () =>
  expect(runtime.pool.stats()).toMatchObject({ waiting: 0, idle: runtime.pool.stats().total })

test('how many rows a write touched is known once the transaction has committed, and never before', async () => {
  const counts: number[] = []
  const count = (rows: number) => void counts.push(rows)
  await ctx.transaction(async ctx => {
    ctx.later(counting(insert(1), count))
    ctx.later(counting(raw(sql`delete from things where n = 2`), count))
    await ctx.all(one)
    expect(counts).toEqual([])
  })
  expect(counts).toEqual([1, 0])
  await expect(
    ctx.transaction(async ctx => {
      ctx.later(counting(insert(2), count))
      await ctx.all(one)
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')
  expect(counts).toEqual([1, 0])
})

test('writes that nobody waits for travel with the commit: one round trip', async () => {
  await ctx.transaction(async ctx => {
    ctx.later(insert(1))
    ctx.later(insert(2))
  })
  expect(trips).toBe(1)
  expect(await stored()).toEqual([1, 2])
  idle()
})

test('a transaction that did nothing does not speak to the server', async () => {
  expect(await ctx.transaction(async () => 'result')).toBe('result')
  expect(trips).toBe(0)
})

test('a read sees the writes that were deferred before it', async () => {
  await ctx.transaction(async ctx => {
    ctx.later(insert(1))
    expect(await ctx.all(raw(sql`select n from things`))).toEqual([{ n: 1 }])
    ctx.later(insert(2))
    expect(await stored()).toEqual([])
  })
  expect(trips).toBe(2)
  expect(await stored()).toEqual([1, 2])
})

test('a deferred write that fails, fails the commit, and all is rolled back', async () => {
  const failing = ctx.transaction(async ctx => {
    ctx.later(insert(1))
    ctx.later(insert(1))
    ctx.later(insert(2))
    return 'fine'
  })
  await expect(failing).rejects.toMatchObject({ code: '23505' })
  expect(await stored()).toEqual([])
  idle()
})

test('a deferred write that fails at the next read rolls all back', async () => {
  const failing = ctx.transaction(async ctx => {
    await ctx.run(insert(1))
    ctx.later(insert(1))
    await ctx.all(one)
  })
  await expect(failing).rejects.toMatchObject({ code: '23505' })
  expect(await stored()).toEqual([])
  idle()
})

test('what throws in the middle leaves nothing, and runs nothing that was to follow the commit', async () => {
  const ran: string[] = []
  const failing = ctx.transaction(async ctx => {
    await ctx.run(insert(1))
    ctx.afterCommit(() => ran.push('after'))
    ctx.beforeCommit(() => {
      ran.push('before')
      return [insert(2)]
    })
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await stored()).toEqual([])
  expect(ran).toEqual([])
  idle()
})

test('what comes before the commit is part of it, and what comes after it knows that it is done', async () => {
  const seen: unknown[] = []
  await ctx.transaction(async ctx => {
    ctx.afterCommit(() => seen.push(stored()))
    ctx.beforeCommit(() => [insert(2)])
    await ctx.run(insert(1))
  })
  expect(await Promise.all(seen)).toEqual([[1, 2]])
})

test('an inner transaction joins the outer one', async () => {
  const failing = ctx.transaction(async ctx => {
    await ctx.transaction(async ctx => void (await ctx.run(insert(1))))
    throw new Error('outer')
  })
  await expect(failing).rejects.toThrow('outer')
  expect(await stored()).toEqual([])
})

test('an error that was swallowed does not pass for a commit', async () => {
  const swallowing = ctx.transaction(async ctx => {
    await ctx.run(insert(1))
    await ctx.run(insert(1)).catch(() => {})
    return 'all is well'
  })
  await expect(swallowing).rejects.toThrow()
  expect(await stored()).toEqual([])
  idle()
})

test('a deadlock is tried again, and both get through', async () => {
  await database.query(`insert into things values (1, ''), (2, '')`)
  const meeting = Promise.withResolvers<void>()
  let arrived = 0
  let tries = 0
  const lockBoth = (first: number, second: number) =>
    ctx.transaction(async ctx => {
      tries++
      await ctx.run(raw(sql`update things set word = word || 'x' where n = ${first}`))
      if (++arrived === 2) meeting.resolve()
      await meeting.promise
      await ctx.run(raw(sql`update things set word = word || 'x' where n = ${second}`))
    })
  await Promise.all([lockBoth(1, 2), lockBoth(2, 1)])
  // The server ends one of the two, and now and then both, which may then meet once more.
  expect(tries).toBeGreaterThan(2)
  expect(await database.query('select word from things')).toEqual([{ word: 'xx' }, { word: 'xx' }])
  idle()
})

test('a conflict that never ends is told after the third try', async () => {
  let tries = 0
  const failing = ctx.transaction(async ctx => {
    tries++
    await ctx.run(raw(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`))
  })
  await expect(failing).rejects.toMatchObject({ code: '40001' })
  expect(tries).toBe(3)
  idle()
})

test('a connection that breaks in a transaction is told as the database being away, and nothing is left behind', async () => {
  const breaking = ctx.transaction(async ctx => {
    await ctx.run(insert(1))
    const [row] = await ctx.all(raw<{ pid: number }>(sql`select pg_backend_pid() as pid`))
    await database.query('select pg_terminate_backend($1::integer, 5000)', [row!.pid])
    await ctx.all(one)
  })
  await expect(breaking).rejects.toMatchObject({ code: 'database_unavailable' })
  expect(await stored()).toEqual([])
  idle()
  await ctx.transaction(async ctx => ctx.later(insert(2)))
  expect(await stored()).toEqual([2])
})

test('a transaction that has ended takes nothing more', async () => {
  let leaked: Context | undefined
  await ctx.transaction(async ctx => {
    await ctx.all(one)
    leaked = ctx
  })
  const after = leaked!.all(one)
  onTestFinished(() => leaked!.transactionOrThrow().rollback())
  await expect(after).rejects.toThrow()
  idle()
})

test('the team holds for the transaction, and not a moment longer', async () => {
  const team = raw<{ team: string | null }>(sql`select nullif(current_setting('app.team', true), '') as team`)
  expect(await ctx.transaction(ctx => ctx.all(team))).toEqual([{ team: TEAM }])
  expect(await ctx.all(team)).toEqual([{ team: TEAM }])
  const left = async () => (await runtime.pool.flush([{ text: team.compile().sql, values: [] }]))[0]!.rows
  for (let connection = 0; connection < 4; connection++) expect(await left()).toEqual([{ team: null }])
  await ctx.transaction(async ctx => Promise.reject((await ctx.all(team), new Error('no')))).catch(() => {})
  expect(await left()).toEqual([{ team: null }])
  expect(await systemContext(runtime).all(team)).toEqual([{ team: '*' }])
  expect(await left()).toEqual([{ team: null }])
})

test('what is asked in the same moment takes one trip, and everything happens in the order it was said', async () => {
  const count = raw<{ count: number }>(sql`select count(*) as count from things`)
  const counts = await ctx.transaction(async ctx => {
    ctx.later(insert(1))
    const first = ctx.all(count)
    ctx.later(insert(2))
    const second = ctx.all(count)
    ctx.later(insert(3))
    return [...(await Promise.all([first, second])), await ctx.all(count)].flat()
  })
  expect(counts).toEqual([{ count: 1 }, { count: 2 }, { count: 3 }])
  // The two together, the third, and the commit.
  expect(trips).toBe(3)
})

test('of several that are asked in the same moment, one that fails fails the transaction', async () => {
  const wrong = raw(sql`select 1 / 0`)
  const failing = ctx.transaction(async ctx => {
    ctx.later(insert(1))
    return Promise.all([ctx.all(one), ctx.all(wrong), ctx.all(one)])
  })
  await expect(failing).rejects.toMatchObject({ code: '22012' })
  expect(await stored()).toEqual([])
  idle()
})

test('a team is an id, whatever is tried', () => {
  expect(teamSetting(TEAM).text).toBe(`set local app.team = '${TEAM}'`)
  for (const team of [
    '',
    'x',
    `${TEAM}'`,
    `${TEAM.slice(1)}'`,
    TEAM.toUpperCase().replace('65E2F0', 'ABCDEF'),
    `${TEAM}\n`,
  ]) {
    expect(() => teamSetting(team)).toThrow('24 lower-case hex')
  }
})
