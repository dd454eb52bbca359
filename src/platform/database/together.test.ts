import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { testPorts } from '#test/ports.ts'
import { plainSettings } from '#test/settings.ts'
import { FakeClock } from '../clock.ts'
import { systemContext, type Context, type Runtime } from '../context.ts'
import { createRegistry } from '../registry.ts'
import { openPool, type Pool } from './pool.ts'
import { written } from './tables.ts'
import { together } from './together.ts'

let database: TestDatabase
let pool: Pool
let ctx: Context
let trips: number

beforeAll(async () => {
  database = await createDatabase()
  await database.query('create table numbers (value int primary key); grant all on numbers to rapport_app')
  pool = openPool({ url: database.loginUrl, size: 4, onError: () => {} })
})
afterAll(async () => {
  await pool.close()
  await database.drop()
})
beforeEach(async () => {
  await database.query('truncate numbers')
  trips = 0
  const counted: Pool = {
    ...pool,
    flush: statements => {
      trips++
      return pool.flush(statements)
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
