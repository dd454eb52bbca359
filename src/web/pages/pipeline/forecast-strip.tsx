import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { money } from '../../ui/money.ts'
import { useNow } from '../../ui/time.tsx'
import { forecastQuery } from './cache.ts'
import type { Filters } from './search.ts'
import stripClasses from '../../ui/strip.module.css'
import classes from './pipeline-page.module.css'

const MONTHS = 3
const named = new Intl.DateTimeFormat('en', { month: 'long' })

/** Expected revenue for the coming months, weighted by stage, and how much of it is won. */
export function ForecastStrip({ filters }: { filters: Filters }) {
  const now = useNow()
  const rows = useQuery({ ...forecastQuery(filters), placeholderData: keepPreviousData }).data
  return (
    <dl className={`${stripClasses.strip} ${classes.forecast}`} aria-label="Forecast">
      {Array.from({ length: MONTHS }, (_, ahead) => {
        const month = monthAhead(now, ahead)
        const own = rows?.filter(row => row.month === month.key) ?? []
        return (
          <div key={month.key}>
            <dt>{ahead === 0 ? 'This month' : month.name}</dt>
            {own.length === 0 && <dd>{rows ? 'no deals closing' : '…'}</dd>}
            {own.map(({ currency, weighted, won }) => (
              <dd key={currency}>
                <strong>{money(weighted, currency)}</strong> weighted, {money(won, currency)} won
              </dd>
            ))}
          </div>
        )
      })}
    </dl>
  )
}

/** In the person's time zone. */
function monthAhead(now: number, ahead: number): { key: string; name: string } {
  const today = new Date(now)
  const first = new Date(today.getFullYear(), today.getMonth() + ahead, 1)
  const key = `${first.getFullYear()}-${String(first.getMonth() + 1).padStart(2, '0')}`
  return { key, name: named.format(first) }
}
