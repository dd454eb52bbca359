import { expect, test } from 'vitest'
import { BULK_MAX } from '#domains/conversations/values.ts'
import { added, allOf, extended, nothing, toggled } from './selection.ts'

const order = ['a', 'b', 'c', 'd', 'e']
const many = Array.from({ length: BULK_MAX + 20 }, (_, n) => `row ${n}`)
const idsOf = ({ ids }: { ids: ReadonlySet<string> }) => [...ids].toSorted()

test('a row is selected and deselected', () => {
  const one = toggled(nothing, 'b')
  expect(idsOf(one)).toEqual(['b'])
  expect(idsOf(toggled(one, 'd'))).toEqual(['b', 'd'])
  expect(idsOf(toggled(one, 'b'))).toEqual([])
})

test('a range grows, shrinks and turns around, and leaves alone what was selected before', () => {
  const start = toggled(toggled(nothing, 'e'), 'b')
  const wide = extended(start, order, 'd')
  expect(idsOf(wide)).toEqual(['b', 'c', 'd', 'e'])
  expect(idsOf(extended(wide, order, 'c'))).toEqual(['b', 'c', 'e'])
  expect(idsOf(extended(wide, order, 'a'))).toEqual(['a', 'b', 'e'])
})

test('without a beginning, a range is the row alone', () => {
  expect(idsOf(extended(nothing, order, 'c'))).toEqual(['c'])
  // It has left the list since.
  expect(idsOf(extended({ ...nothing, from: 'gone' }, order, 'c'))).toEqual(['c'])
})

test('no more are selected than can be changed at once: of a range, the rows next to its beginning', () => {
  expect(allOf(many).ids.size).toBe(BULK_MAX)
  expect(allOf(many.slice(0, BULK_MAX)).ids.size).toBe(BULK_MAX)
  expect(toggled(allOf(many), 'row 110').ids.size).toBe(BULK_MAX)
  expect(toggled(allOf(many.slice(0, BULK_MAX - 1)), 'row 110').ids.size).toBe(BULK_MAX)
  const upwards = extended(toggled(nothing, 'row 119'), many, 'row 0')
  expect(upwards.ids.size).toBe(BULK_MAX)
  expect(upwards.ids.has('row 20')).toBe(true)
  expect(upwards.ids.has('row 19')).toBe(false)
  expect(added(allOf(many), ['row 119']).ids.has('row 119')).toBe(false)
})
