import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { openPool, type Checkout, type Pool } from './pool.ts'
import type { Statement } from './flush.ts'

const APPLICATION_TEXTS_MAX = 500

let database: TestDatabase
let pool: Pool
let connection: Checkout

beforeAll(async () => {
  database = await createDatabase()
  await database.query('create table things (n integer primary key, word text)')
  await database.query('grant all on things to rapport_app')
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.query('truncate things')
  pool = openPool({ url: database.loginUrl, size: 2, onError: () => {} })
  connection = await pool.checkOut()
  return async () => {
    connection.release(true)
    await pool.close()
  }
})

const run = (...statements: (string | Statement)[]) =>
  connection.flush(statements.map(one => (typeof one === 'string' ? { text: one, values: [] } : one)))
const insert = (n: number, word: string | null = null): Statement => ({
  text: 'insert into things values ($1, $2)',
  values: [n, word],
})
const prepared = async () =>
  (await run('select statement from pg_prepared_statements'))[0]!.rows.map(row => row.statement as string)
/** What the server does when it is told to shut down, to one connection. */
const terminate = (pid: unknown) => database.query('select pg_terminate_backend($1::integer, 5000)', [pid])
const pidOf = async (one: Pick<Pool, 'flush'>) =>
  (await one.flush([{ text: 'select pg_backend_pid() as pid', values: [] }]))[0]!.rows[0]!.pid
const words = async () =>
  (await database.query<{ n: number }>('select n from things order by n')).map(row => row.n)

test('several statements are answered in their order, each with its own rows and count', async () => {
  const results = await run(
    insert(1, 'one'),
    insert(2, 'two'),
    'update things set word = upper(word)',
    'select * from things order by n',
    '',
  )
  expect(results).toMatchObject([
    { rowCount: 1, command: 'INSERT', rows: [] },
    { rowCount: 1, command: 'INSERT', rows: [] },
    { rowCount: 2, command: 'UPDATE', rows: [] },
    {
      rowCount: 2,
      command: 'SELECT',
      rows: [
        { n: 1, word: 'ONE' },
        { n: 2, word: 'TWO' },
      ],
    },
    { rowCount: 0, rows: [] },
  ])
  expect(await run()).toEqual([])
})

test('a text is prepared once for each connection, also when it stands in a flush twice', async () => {
  await run(insert(1), insert(2))
  await run(insert(3))
  expect((await prepared()).filter(text => text.startsWith('insert'))).toHaveLength(1)
  const other = await pool.checkOut()
  await other.flush([insert(4)])
  other.release()
  expect((await prepared()).filter(text => text.startsWith('insert'))).toHaveLength(1)
})

test('when one fails, what came before it in the flush is undone, and what follows is not run', async () => {
  await expect(run(insert(1), insert(1), insert(2))).rejects.toMatchObject({ code: '23505' })
  expect(await words()).toEqual([])
  await run(insert(3))
  expect(await words()).toEqual([3])
})

test('after an error the connection goes on with every text, prepared before, in, or after it', async () => {
  await run(insert(1))
  const texts = ['select 1 as before', 'select nonsense', 'select 2 as after']
  await expect(run(...texts)).rejects.toMatchObject({ code: '42703' })
  await expect(run(...texts)).rejects.toMatchObject({ code: '42703' })
  await expect(run('select 2 as after', 'select 1 / 0', 'select 3 as last')).rejects.toMatchObject({
    code: '22012',
  })
  for (let round = 0; round < 2; round++) {
    expect(
      (await run('select 1 as before', 'select 2 as after', 'select 3 as last')).map(
        result => result.rows[0],
      ),
    ).toEqual([{ before: 1 }, { after: 2 }, { last: 3 }])
  }
  await expect(run('select 1 / 0')).rejects.toMatchObject({ code: '22012' })
  expect((await prepared()).filter(text => text === 'select 1 as before')).toHaveLength(1)
})

test('a text that failed for its values, not for itself, is still known', async () => {
  await run(insert(1))
  for (let round = 0; round < 3; round++)
    await expect(run(insert(1))).rejects.toMatchObject({ code: '23505' })
  expect((await prepared()).filter(text => text.startsWith('insert'))).toHaveLength(1)
})

test('a table that gets a column under a running connection costs one failure at most', async () => {
  await database.query('create table changing (a integer)')
  await database.query('grant all on changing to rapport_app')
  onTestFinished(async () => void (await database.query('drop table changing')))
  await run('select * from changing')
  await database.query('alter table changing add column b integer')
  await run('select * from changing').catch(() => {})
  expect((await run('select * from changing', 'select 1 as one')).at(-1)!.rows).toEqual([{ one: 1 }])
})

test('beyond so many texts a connection prepares no more, and still runs them', async () => {
  for (let n = 0; n < APPLICATION_TEXTS_MAX + 100; n++) {
    const [result] = await run(`select ${n} as n`)
    expect(result!.rows).toEqual([{ n }])
  }
  expect((await prepared()).length).toBeLessThanOrEqual(APPLICATION_TEXTS_MAX)
  await run(insert(1), 'select 9999 as n', insert(2), 'select 9998 as n')
  expect(await words()).toEqual([1, 2])
  await expect(run('select 9999 as n', 'select 1 / 0', insert(3))).rejects.toMatchObject({ code: '22012' })
  expect((await run('select 9999 as n'))[0]!.rows).toEqual([{ n: 9999 }])
})

test('a value that cannot be sent fails its flush, and the connection goes on', async () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  await expect(
    run('select 1 as one', { text: 'select $1::jsonb as circle', values: [circle] }),
  ).rejects.toThrow('circular')
  const again = run('select 1 as one', { text: 'select $1::jsonb as circle', values: ['1'] })
  again.catch(() => {})
  expect((await Promise.race([again, tooLate()])).map(result => result.rows[0])).toEqual([
    { one: 1 },
    { circle: 1 },
  ])
})

test('odd values come back as they were', async () => {
  const values = ['', "o'brien", '"quoted"', 'back\\slash', '{}', 'NULL', 'line\nbreak', '\u{1f600}', null]
  const text = `select ${values.map((_, at) => `$${at + 1}::text as v${at}`).join(', ')}, $${values.length + 1}::text[] as list`
  const [result] = await run({ text, values: [...values, values] })
  expect(Object.values(result!.rows[0]!)).toEqual([...values, values])
})

test('a connection that breaks in the middle is told as the database being away, and is replaced', async () => {
  const pid = await pidOf(connection)
  const breaking = expect(run(insert(1), 'select pg_sleep(30)', insert(2))).rejects.toMatchObject({
    name: 'Problem',
    kind: 'unavailable',
    code: 'database_unavailable',
  })
  await terminate(pid)
  await breaking
  expect(await words()).toEqual([])
  await expect(run('select 1')).rejects.toMatchObject({ code: 'database_unavailable' })
  connection.release(true)
  connection = await pool.checkOut()
  expect((await run('select 1 as one'))[0]!.rows).toEqual([{ one: 1 }])
})

test('a pool throws broken connections away and keeps those that only saw an error', async () => {
  const flush = (text: string) => pool.flush([{ text, values: [] }])
  const first = await pidOf(pool)
  await expect(flush('select 1 / 0')).rejects.toMatchObject({ code: '22012' })
  expect(await pidOf(pool)).toBe(first)
  const broken = expect(flush('select pg_sleep(30)')).rejects.toMatchObject({ code: 'database_unavailable' })
  await terminate(first)
  await broken
  expect(await pidOf(pool)).not.toBe(first)
})

test('a pool whose server cannot be reached says so', async () => {
  const nowhere = openPool({ url: 'postgresql://nobody@127.0.0.1:1/none', size: 1, onError: () => {} })
  await expect(nowhere.flush([{ text: 'select 1', values: [] }])).rejects.toMatchObject({
    code: 'database_unavailable',
  })
  await nowhere.close()
})

async function tooLate(): Promise<never> {
  await new Promise(resolve => setTimeout(resolve, 1_000))
  throw new Error('no answer')
}
