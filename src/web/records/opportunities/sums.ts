import type { Board, Sum } from '#domains/opportunities/contract.ts'
import { isClosed } from '#domains/opportunities/values.ts'

type Columns = Board['columns']
export type Totals = { open: Total; won: Total }
export type Total = { count: number; sums: Sum[] }

/** Totals of open and won deals. Lost ones do not count. */
export function totalsOf(columns: Columns): Totals {
  return {
    open: total(columns.filter(({ stage }) => !isClosed(stage))),
    won: total(columns.filter(({ stage }) => stage === 'closed_won')),
  }
}

/** One sum per currency. */
function total(columns: Columns): Total {
  const byCurrency = Map.groupBy(
    columns.flatMap(({ sums }) => sums),
    ({ currency }) => currency,
  )
  const sums = [...byCurrency].map(([currency, own]) => ({
    currency,
    amount: added(own.map(({ amount }) => amount)),
    weighted: added(own.map(({ weighted }) => weighted)),
  }))
  // Currencies without amounts are left out.
  return {
    count: columns.reduce((sum, { count }) => sum + count, 0),
    sums: sums.filter(({ amount }) => amount !== '0'),
  }
}

const DIGITS = 4

/** Decimal text added without floating point: amounts are exact to the fourth digit. */
function added(amounts: string[]): string {
  const sum = amounts.reduce((so_far, amount) => so_far + scaled(amount), 0n)
  const text = sum.toString().padStart(DIGITS + 1, '0')
  return `${text.slice(0, -DIGITS)}.${text.slice(-DIGITS)}`.replace(/\.?0+$/, '')
}

function scaled(amount: string): bigint {
  const [whole = '0', part = ''] = amount.split('.')
  return BigInt(whole + part.padEnd(DIGITS, '0').slice(0, DIGITS))
}
