import { expect, test } from 'vitest'
import { patternsOf } from './listing.ts'

test('the longest word is looked for first, and short ones at the beginning of words', () => {
  expect(patternsOf('Ed  Dijkstra')).toEqual(['%dijkstra%', '% ed%'])
  expect(patternsOf('100%_')).toEqual(['%100\\%\\_%'])
  expect(patternsOf(' ')).toEqual([])
  expect(patternsOf(undefined)).toEqual([])
})

test('signs without a letter or a digit are passed over, and alone find nothing', () => {
  expect(patternsOf('Smith & Sons')).toEqual(['%smith%', '%sons%'])
  expect(patternsOf('((((')).toEqual([null])
  expect(patternsOf('@ …')).toEqual([null])
})
