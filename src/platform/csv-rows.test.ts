import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { full as isFull } from '#test/tier.ts'
import { CsvRows } from './csv-rows.ts'
import { csvLine, csvValue } from './csv.ts'
import { openPool, type Pool } from './database/pool.ts'

const COLUMNS = ['word', 'name', 'at', 'day', 'amount', 'whole', 'large', 'share', 'is_open', 'data', 'tags']

let database: TestDatabase
let pool: Pool

beforeAll(async () => {
  database = await createDatabase()
  await database.query(`create table things (n integer primary key, word text, name varchar, at timestamptz, day date,
    amount numeric, whole integer, large bigint, share double precision, is_open boolean, data jsonb, tags text[])`)
  await database.query('grant all on things to rapport_app')
  pool = openPool({ url: database.loginUrl, size: 2, onError: () => {} })
})
afterAll(async () => {
  await pool.close()
  await database.drop()
})
beforeEach(async () => void (await database.query('truncate things')))

async function fill(rows: readonly Record<string, unknown>[]): Promise<void> {
  await database.query(
    `insert into things select n, word, name, at, day, amount, whole, large, share, is_open, data, tags
     from jsonb_populate_recordset(null::things, $1)`,
    [JSON.stringify(rows.map((row, n) => ({ ...row, n })))],
  )
}

const select = (values: string[]) => `select ${values.join(', ')} from things order by n`

/** The file as the rows of the pool make it, one by one. */
async function lineByLine(): Promise<string> {
  const [result] = await pool.flush([{ text: select(COLUMNS), values: [] }])
  return result!.rows.map(row => csvLine(COLUMNS.map(column => csvValue(row[column])))).join('')
}

async function asBytes(full = 1_000): Promise<CsvRows> {
  const sink = new CsvRows({ columns: COLUMNS.length, full })
  await pool.flush([{ text: select([...COLUMNS, 'at', 'word']), values: [], sink }])
  return sink
}

/** Signs that decide about quotes and formulas, letters of one to four bytes, and words made of them. */
const sign = fc.constantFrom(...'aZ_9 .:@/()&+-=,;"\'\t\r\n\u00a0\u00bfÀéɏɿʀʯʰ€＝\u200b😀')
const text = fc.oneof(
  fc.string({ unit: sign, maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map(word => word.replaceAll('\0', '')),
  fc.constantFrom('', 'Ada Lovelace', 'x'.repeat(300_000), 'é'.repeat(200_000), '"'.repeat(200_000)),
)

test('the bytes of a file are those that its lines would have one by one', async () => {
  const row = fc.record({
    word: fc.option(text),
    name: fc.option(text),
    amount: fc.option(fc.constantFrom('0', '12.50', '-7.25')),
    whole: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
    large: fc.option(fc.maxSafeInteger()),
    share: fc.option(fc.constantFrom(0.5, -1.25, 3)),
    is_open: fc.option(fc.boolean()),
    data: fc.oneof(text, fc.constantFrom({}, { a: '=1' }, [], 7, true, null)),
    tags: fc.option(fc.array(text, { maxLength: 2 })),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 8 }), async rows => {
      await database.query('truncate things')
      await fill(rows)
      const { bytes, count } = await asBytes()
      expect(bytes.toString()).toBe(await lineByLine())
      expect(count).toBe(rows.length)
    }),
    { numRuns: isFull ? 300 : 20 },
  )
})

test('an instant has milliseconds, however precise it is in the database', async () => {
  const seconds = '2026-03-02 09:00:00'
  const parts = ['', '.1', '.12', '.120', '.123456', '.000001']
  await fill(parts.map(part => ({ at: `${seconds}${part}+00`, day: '2026-03-02' })))
  const { bytes } = await asBytes()
  const written = ['000', '100', '120', '120', '123', '000']
  const line = (milliseconds: string) => `,,2026-03-02T09:00:00.${milliseconds}Z,2026-03-02,,,,,,,\r\n`
  expect(bytes.toString()).toBe(written.map(line).join(''))
  expect(bytes.toString()).toBe(await lineByLine())
})

test('a full page says what is behind its columns in the last row, one that is not full says nothing', async () => {
  const words = ['one', 'two', 'three']
  await fill(words.map((word, n) => ({ word, at: `2026-03-0${n + 1} 09:00:00.5+00` })))
  expect((await asBytes(3)).after).toEqual(['2026-03-03T09:00:00.500Z', 'three'])
  expect((await asBytes(4)).after).toBeUndefined()
})

test('rows of several statements on one connection keep apart, and nothing becomes of those of the file', async () => {
  await fill([{ word: 'one' }])
  const sink = new CsvRows({ columns: 1, full: 10 })
  const file = { text: 'select word from things', values: [], sink }
  const other = { text: 'select n from things', values: [] }
  for (let again = 0; again < 2; again++) {
    const results = await pool.flush([other, file, other])
    expect(results.map(({ rows }) => rows)).toEqual([[{ n: 0 }], [], [{ n: 0 }]])
  }
  expect(sink.bytes.toString()).toBe('one\r\none\r\n')
})
