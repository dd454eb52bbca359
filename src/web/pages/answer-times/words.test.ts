import { expect, test } from 'vitest'
import { minutesInWords, shareInWords } from './words.ts'

test.for<[minutes: number | null, words: string]>([
  [null, '–'],
  [0.5, '30 s'],
  [1, '1 min'],
  [59.4, '59 min'],
  [60, '1 h'],
  [80.2, '1 h 20 min'],
])('%s minutes are %s', ([minutes, words]) => {
  expect(minutesInWords(minutes)).toBe(words)
})

test('a share is never rounded up to all', () => {
  expect(shareInWords({ within_target: 199, late: 1 })).toBe('99 %')
  expect(shareInWords({ within_target: 3, late: 0 })).toBe('100 %')
  expect(shareInWords({ within_target: 0, late: 0 })).toBe('–')
})
