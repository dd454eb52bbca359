import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { testPorts } from '#test/ports.ts'
import { plainSettings } from '#test/settings.ts'
import { FakeClock } from '../clock.ts'
import { Context, systemActor, systemContext, type Runtime } from '../context.ts'
import { Problem } from '../problem.ts'
import { createRegistry } from '../registry.ts'
import { openPool, type Pool } from './pool.ts'
import { counting, written } from './tables.ts'
import { together } from './together.ts'

let database: TestDatabase
let pool: Pool
let ctx: Context
let trips: number
let answersGetLost: boolean

beforeAll(async () => {
  database = await createDatabase()
  await database.query('create table numbers (value int primary key); grant all on numbers to rapport_app')
  pool = openPool({ url: database.loginUrl, size: 10, onError: () => {} })
})
afterAll(async () => {
  await pool.close()
  await database.drop()
})
beforeEach(async () => {
  await database.query('truncate numbers')
  trips = 0
  answersGetLost = false
  const counted: Pool = {
    ...pool,
    flush: async statements => {
      trips++
      const answers = await pool.flush(statements)
      if (answersGetLost) throw new Problem('unavailable', 'gone', { code: 'database_unavailable' })
      return answers
    },
  }
  const runtime: Runtime = {
    pool: counted,
    clock: new FakeClock(),
    log: pino({ level: 'silent' }),
    registry: createRegistry({ jobs: [], reactions: [], scheduled: [], sweeps: [] }),
    settings: plainSettings,
    ports: testPorts(),
    wakeWorker: () => {},
    changes: undefined as never,
    windows: undefined as never,
  }
  ctx = systemContext(runtime)
})

const insert = (value: number) =>
  together(
    ctx,
    String(value),
    written<{ value: number }>('insert into numbers values ($1) returning value', [value]),
  )
const stored = async () =>
  (await database.query<{ value: number }>('select value from numbers order by 1')).map(row => row.value)

test('a statement alone goes at once and is answered with its rows', async () => {
  expect(await insert(7)).toEqual([{ value: 7 }])
  expect(trips).toBe(1)
})

test('those of one moment share a trip, and each gets its own answer', async () => {
  const values = Array.from({ length: 40 }, (_, at) => at)
  const answers = await Promise.all(values.map(insert))
  expect(answers).toEqual(values.map(value => [{ value }]))
  expect(trips).toBe(1)
})

test('more than fit into one trip take several', async () => {
  const values = Array.from({ length: 120 }, (_, at) => at)
  await Promise.all(values.map(insert))
  expect(trips).toBe(3)
  expect(await stored()).toEqual(values)
})

test('one that fails takes nobody along', async () => {
  await insert(2)
  const outcomes = await Promise.allSettled([1, 2, 3].map(insert))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await stored()).toEqual([1, 2, 3])
})

test('those that come while others are on their way wait for the next trip', async () => {
  const first = insert(1)
  await new Promise(resolve => setImmediate(resolve))
  const rest = [2, 3, 4].map(insert)
  await Promise.all([first, ...rest])
  expect(trips).toBe(2)
})

describe('transactions that only add rows', () => {
  const TEAM = '65e2f0a1b2c3d4e5f6a7b8c9'
  let team: Context
  beforeEach(() => (team = systemContext(ctx.runtime, TEAM)))

  const add = (...values: number[]) => adding(team, ...values)
  const adding = (ctx: Context, ...values: number[]) =>
    ctx.transaction(async ctx => {
      for (const value of values) ctx.later(written('insert into numbers values ($1)', [value]))
    })

  test('share a commit with those of the same moment and team', async () => {
    await Promise.all([add(1, 2), add(3), adding(systemContext(ctx.runtime, TEAM), 4)])
    expect(trips).toBe(1)
    await Promise.all([add(5), adding(systemContext(ctx.runtime, TEAM.replace('65', '75')), 6)])
    expect(trips).toBe(3)
    expect(await stored()).toEqual([1, 2, 3, 4, 5, 6])
    const transactions = await database.query('select distinct xmin::text from numbers where value < 5')
    expect(transactions).toHaveLength(1)
  })

  test('go alone when they change or read anything', async () => {
    await add(1)
    trips = 0
    const changing = team.transaction(async ctx => {
      ctx.later(written('insert into numbers values (2)', []))
      ctx.later(written('update numbers set value = 11 where value = 1', []))
    })
    const reading = team.transaction(async ctx => {
      await ctx.all(written('select value from numbers', []))
      ctx.later(written('insert into numbers values (3)', []))
    })
    await Promise.all([changing, reading, add(4), add(5)])
    expect(trips).toBe(1)
    const ids = await database.query<{ values: number[] }>(
      'select array_agg(value order by value) as values from numbers group by xmin::text order by min(value)',
    )
    expect(ids.map(({ values }) => values)).toEqual([[2, 11], [3], [4, 5]])
  })

  test('do not share the failure of one', async () => {
    await add(2)
    const outcomes = await Promise.allSettled([add(1), add(7, 2), add(3)])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({ reason: { code: '23505' } })
    expect(await stored()).toEqual([1, 2, 3])
  })

  test('do not share the wait of one for a lock', async () => {
    const other = await pool.checkOut()
    await other.flush([
      { text: 'begin', values: [] },
      { text: 'insert into numbers values (2)', values: [] },
    ])
    let held = true
    const waiting = add(2).finally(() => (held = false))
    await Promise.all([add(1), add(3)])
    // Nor do those that come later, however many wait.
    const more = [11, 12, 13, 14, 15].map(value => add(value, 2))
    const outcomes = Promise.allSettled([waiting, ...more])
    await add(4)
    expect(held).toBe(true)
    await other.flush([{ text: 'rollback', values: [] }])
    other.release()
    expect((await outcomes).filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await stored()).filter(value => value <= 4)).toEqual([1, 2, 3, 4])
  })

  test('are not tried again when the answer is lost: they may have been committed', async () => {
    answersGetLost = true
    const outcomes = await Promise.allSettled([add(1), add(2)])
    const lost = { status: 'rejected', reason: { code: 'database_unavailable' } }
    expect(outcomes).toMatchObject([lost, lost])
    expect(trips).toBe(1)
    expect(await stored()).toEqual([1, 2])
  })

  test('each know how many rows they wrote', async () => {
    const counts: number[] = []
    const counted = (values: string) =>
      team.transaction(async ctx =>
        ctx.later(counting(written(`insert into numbers values ${values}`, []), rows => counts.push(rows))),
      )
    await Promise.all([counted('(1), (2)'), counted('(3)'), counted('(4), (5), (6)')])
    expect(trips).toBe(1)
    expect(counts).toEqual([2, 1, 3])
  })

  test('are refused one by one when the guard of one fails', async () => {
    const guarded = (text: string) =>
      new Context(ctx.runtime, {
        actor: systemActor,
        team: TEAM,
        guard: { statement: { text, values: [] }, passed: false },
      })
    const outcomes = await Promise.allSettled([
      adding(guarded('select 1'), 1),
      adding(guarded('select 1 / 0'), 2),
      adding(guarded('select 1'), 3),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await stored()).toEqual([1, 3])
  })
})
