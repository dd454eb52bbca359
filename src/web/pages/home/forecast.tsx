import { Link } from '@tanstack/react-router'
import type { Home } from '#domains/home/contract.ts'
import { paths } from '../../paths.ts'
import { money } from '../../ui/money.ts'
import { useNow } from '../../ui/time.tsx'
import { plural } from '../../ui/words.ts'
import { Panel } from './panel.tsx'
import fieldsClasses from '../../ui/fields.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './home.module.css'

type Months = Home['forecast']

/** Expected revenue for this month and the next, weighted by win probability. */
export function Forecast({ months }: { months: Months | undefined }) {
  const now = useNow()
  return (
    <Panel title="Forecast" rows={2}>
      {months && (
        <dl className={fieldsClasses.two}>
          <Month name="This month" month={monthOf(now, 0)} months={months} />
          <Month name="Next month" month={monthOf(now, 1)} months={months} />
        </dl>
      )}
    </Panel>
  )
}

function Month({ name, month, months }: { name: string; month: string; months: Months }) {
  const rows = months.filter(row => row.month === month)
  const [from, until] = daysOf(month)
  return (
    <div className={classes.month}>
      <dt>{name}</dt>
      {rows.length === 0 && <dd className={classes.dim}>No deals closing.</dd>}
      {rows.map(({ currency, count, amount, weighted, won }) => (
        <dd key={currency}>
          <Link
            to={paths.opportunities}
            search={{ close_after: from, close_before: until, currency: [currency] }}
            className={textClasses.quiet}
          >
            <strong className={textClasses.figure}>{money(weighted, currency)}</strong> weighted
          </Link>
          <span className={classes.dim}>
            {plural(count, 'deal')}, {money(amount, currency)} total, {money(won, currency)} won
          </span>
        </dd>
      ))}
    </div>
  )
}

/** `2026-03`, in the person's time zone. */
function monthOf(now: number, add: number): string {
  const date = new Date(now)
  const month = new Date(date.getFullYear(), date.getMonth() + add, 1)
  return `${month.getFullYear()}-${String(month.getMonth() + 1).padStart(2, '0')}`
}

function daysOf(month: string): [first: string, last: string] {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return [`${month}-01`, `${month}-${new Date(year, number, 0).getDate()}`]
}
