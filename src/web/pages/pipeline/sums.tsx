import type { Sum } from '#domains/opportunities/contract.ts'
import { money } from '../../ui/money.ts'
import classes from './pipeline-page.module.css'

/** The totals of a column, one line per currency. */
export function Sums({ sums, weighted }: { sums: readonly Sum[]; weighted: boolean }) {
  const filled = sums.filter(({ amount }) => Number(amount) > 0)
  return (
    <div className={classes.sums}>
      {filled.map(sum => (
        <span key={sum.currency}>
          {money(sum.amount, sum.currency)}
          {weighted && ` · ${money(sum.weighted, sum.currency)} weighted`}
        </span>
      ))}
    </div>
  )
}
