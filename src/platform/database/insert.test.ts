import { expect, test } from 'vitest'
import { batchesOf, inserter } from './insert.ts'

type Row = { team: string; n: number; note: string | null }
const insert = inserter<Row>('things', ['team', 'n', 'note'])
const rows = (count: number): Row[] =>
  Array.from({ length: count }, (_, n) => ({ team: 'a', n, note: n === 3 ? null : 'x' }))

test('a few rows are values one by one', () => {
  const { sql, parameters } = insert(rows(2)).compile()
  expect(sql).toBe('insert into "things" ("team", "n", "note") values ($1, $2, $3), ($4, $5, $6)')
  expect(parameters).toEqual(['a', 0, 'x', 'a', 1, 'x'])
})

test('of many rows, what is the same in all of them is sent once', () => {
  const { sql, parameters } = insert(rows(20)).compile()
  expect(sql).toContain('values ($1,$2,$3),($1,$4,$5),($1,$6,$7)')
  expect(parameters).toHaveLength(1 + 2 * 20)
  expect(parameters.slice(0, 9)).toEqual(['a', 0, 'x', 1, 'x', 2, 'x', 3, null])
})

test('batches have a few sizes, none of them is empty, and together they are everything in its order', () => {
  for (const count of [0, 1, 9, 10, 11, 99, 100, 1_234]) {
    const batches = batchesOf(rows(count))
    expect(batches.flat()).toEqual(rows(count))
    for (const { length } of batches) expect(length <= 10 || [20, 50, 100].includes(length)).toBe(true)
    expect(batches.every(({ length }) => length > 0)).toBe(true)
  }
})
