import { expect, test } from 'vitest'
import { chosenOf, filterInWords, isSet, periodFilter, withChosen, type Filter } from './filters.ts'

const options = [
  { value: 'a', label: 'Ada' },
  { value: 'b', label: 'Bob' },
]
const owner: Filter = { kind: 'choice', name: 'owner', label: 'Owner', options, usual: 'a' }

test('a filter with a usual value says it until another is set', () => {
  expect(filterInWords({}, owner)).toBe('is Ada')
  expect(filterInWords({ owner: ['b'] }, owner)).toBe('is Bob')
  expect(isSet({}, owner)).toBe(false)
  expect(chosenOf({}, owner)).toEqual(['a'])
  expect(chosenOf({ owner: ['b'] }, owner)).toEqual(['b'])
})

test('what was chosen and is no longer among the options can still be chosen', () => {
  expect(withChosen(options, ['b', 'c'], id => `Former ${id}`)).toEqual([
    { value: 'c', label: 'Former c' },
    ...options,
  ])
})

test('a period is described by its name, or by its first and last day', () => {
  const period = periodFilter('Received')
  expect(filterInWords({ from: '-6d' }, period)).toBe('in the last 7 days')
  expect(filterInWords({ from: '2026-05-03', until: '2026-05-12' }, period)).toMatch(
    /^from .*2026 until .*2026$/,
  )
})
