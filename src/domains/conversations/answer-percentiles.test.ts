import { expect, test } from 'vitest'
import { countOf, percentilesOf, sumOf } from './answer-percentiles.ts'

const valuesOf = (...numbers: number[]) => {
  const bytes = Buffer.alloc(numbers.length * 4)
  numbers.forEach((number, at) => bytes.writeInt32BE(number, at * 4))
  return bytes
}
const nothing = {
  answered: 0,
  within_target: 0,
  late: 0,
  closed_unanswered: 0,
  first_sec: null,
  next_sec: null,
}

test('percentiles lie between the two values around them, in proportion', () => {
  expect(percentilesOf(null, [0.5])).toEqual([undefined])
  expect(percentilesOf(valuesOf(7), [0.5, 0.9])).toEqual([7, 7])
  expect(percentilesOf(valuesOf(300, 100, 200), [0.5])).toEqual([200])
  expect(percentilesOf(valuesOf(40, 10, 30, 20), [0.5, 0.9, 1])).toEqual([25, 37, 40])
  expect(percentilesOf(valuesOf(2_147_483_647, 0), [1])).toEqual([2_147_483_647])
})

test('several counts become one with all of their values', () => {
  const one = { ...nothing, answered: 2, late: 1, first_sec: valuesOf(1, 2) }
  const other = { ...nothing, answered: 1, closed_unanswered: 3, first_sec: valuesOf(3) }
  const sum = sumOf([one, nothing, other])
  expect(sum).toMatchObject({ answered: 3, late: 1, closed_unanswered: 3 })
  expect([countOf(sum.first_sec), countOf(sum.next_sec)]).toEqual([3, 0])
  expect(percentilesOf(sum.first_sec, [0.5])).toEqual([2])
})
