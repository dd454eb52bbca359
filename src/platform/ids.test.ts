import { expect, test } from 'vitest'
import { idAfter, idsFrom, isId } from './ids.ts'

test('an id made for a team carries the end of it, and is otherwise as any', () => {
  const make = idsFrom(1)
  const team = '65f0c0ffee00112233445abc'
  const ids = [make(Date.UTC(2026, 2, 2), team), make(Date.UTC(2026, 2, 2)), make(Date.UTC(2026, 2, 2), team)]
  expect(ids.map(id => id.slice(8, 12) === '5abc')).toEqual([true, false, true])
  expect(ids.every(isId)).toBe(true)
  expect(new Set(ids).size).toBe(3)
})

test('ids made later sort later, even when the counter wraps within a second', () => {
  const make = idsFrom(0xfffffd)
  const second = Date.UTC(2026, 2, 2)
  const ids = [...Array.from({ length: 6 }, () => make(second)), make(second + 999), make(second + 2_000)]
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every(isId)).toBe(true)
})

test('ids after one are as many, and begin again with the counter', () => {
  const id = '65f0c0ff5abc001122fffffe'
  expect([0, 1, 2, 3].map(places => idAfter(id, places))).toEqual([
    id,
    '65f0c0ff5abc001122ffffff',
    '65f0c0ff5abc001122000000',
    '65f0c0ff5abc001122000001',
  ])
})
