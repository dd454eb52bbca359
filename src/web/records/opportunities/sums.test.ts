import { expect, test } from 'vitest'
import { totalsOf } from './sums.ts'

const sum = (currency: string, amount: string) => ({ currency, amount, weighted: amount })

test('open and won are added up apart, each currency by itself, and what was lost not at all', () => {
  const { open, won } = totalsOf([
    { stage: 'prospecting', count: 2, sums: [sum('EUR', '0.1'), sum('USD', '100')] },
    { stage: 'proposal', count: 1, sums: [sum('EUR', '0.2')] },
    { stage: 'closed_won', count: 1, sums: [sum('EUR', '5')] },
    { stage: 'closed_lost', count: 4, sums: [sum('EUR', '900')] },
  ])
  expect(open).toEqual({ count: 3, sums: [sum('EUR', '0.3'), sum('USD', '100')] })
  expect(won).toEqual({ count: 1, sums: [sum('EUR', '5')] })
})

test('nothing adds up to nothing, and deals without an amount to no sum', () => {
  const none = totalsOf([{ stage: 'proposal', count: 1, sums: [sum('USD', '0')] }])
  expect(none.open).toEqual({ count: 1, sums: [] })
  expect(totalsOf([{ stage: 'proposal', count: 0, sums: [] }]).open).toEqual({ count: 0, sums: [] })
})

test('amounts beyond what a floating point number holds stay exact', () => {
  const { open } = totalsOf([
    { stage: 'proposal', count: 2, sums: [sum('EUR', '900000000000000.0001'), sum('EUR', '0.0002')] },
  ])
  expect(open.sums[0]?.amount).toBe('900000000000000.0003')
})
