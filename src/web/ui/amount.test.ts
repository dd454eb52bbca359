import { expect, test } from 'vitest'
import { parseAmount } from './amount.ts'

test.each([
  ['1250', '1250'],
  ['1250.5', '1250.5'],
  ['1,250.50', '1250.50'],
  ['1,250', '1250'],
  ['1 250 000', '1250000'],
  ['12,5', '12.5'],
  ["10'000", '10000'],
])('%s is read as %s', (typed, amount) => {
  expect(parseAmount(typed)).toBe(amount)
})

test('nothing is no amount, and what is none is said to be none', () => {
  expect(parseAmount('  ')).toBeNull()
  for (const typed of ['a lot', '-5', '1.2.3', '12.34567', '1e9', '9'.repeat(16)]) {
    expect(parseAmount(typed)).toBeUndefined()
  }
})
