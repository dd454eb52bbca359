import { expect, test } from 'vitest'
import { idsFrom, isId } from './ids.ts'

test('ids made later sort later, even when the counter wraps within a second', () => {
  const make = idsFrom(0xfffffd)
  const second = Date.UTC(2026, 2, 2)
  const ids = [...Array.from({ length: 6 }, () => make(second)), make(second + 999), make(second + 2_000)]
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every(isId)).toBe(true)
})
