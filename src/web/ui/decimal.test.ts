import { expect, test } from 'vitest'
import { readPercent, readPrice, readQuantity } from './decimal.ts'

test('prices, quantities and percentages are read as people write them', () => {
  expect(readPrice('1,250.50')).toBe('1250.50')
  expect(readPrice('007,5')).toBe('7.5')
  expect(readQuantity('2,5')).toBe('2.5')
  expect(readPercent('19 %')).toBe('19')
  expect(readPercent('7,5')).toBe('7.5')
  expect(readPercent(' ')).toBe('0')
  expect(readPercent('100')).toBe('100')
})

test('what is none is said to be none', () => {
  for (const typed of ['', 'a lot', '-5', '1.23456']) expect(readPrice(typed)).toBeUndefined()
  for (const typed of ['', '1234567890']) expect(readQuantity(typed)).toBeUndefined()
  for (const typed of ['101', '100.5', '-1', '7.555']) expect(readPercent(typed)).toBeUndefined()
})
