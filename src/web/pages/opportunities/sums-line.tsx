import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { moneyList } from '../../ui/money.ts'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { Bar } from '../../ui/states.tsx'
import { plural } from '../../ui/words.ts'
import { sumsQuery } from '../../records/opportunities/list-cache.ts'
import { totalsOf } from '../../records/opportunities/sums.ts'
import stripClasses from '../../ui/strip.module.css'

/** Totals of all matching deals, including those not loaded yet. */
export function SumsLine({ search }: { search: ListSearch }) {
  const { data } = useQuery({ ...sumsQuery(search), placeholderData: keepPreviousData })
  if (!data) {
    return (
      <div className={stripClasses.strip}>
        <Bar width={260} />
      </div>
    )
  }
  const { open, won } = totalsOf(data)
  return (
    <dl className={stripClasses.strip} aria-label="Totals">
      <div>
        <dt>Open</dt>
        <dd>
          {plural(open.count, 'deal')}
          {open.sums.length > 0 && <b>{moneyList(open.sums)}</b>}
        </dd>
      </div>
      {open.sums.length > 0 && (
        <div>
          <dt title="Amounts weighted by win probability">Weighted</dt>
          <dd>{moneyList(open.sums.map(({ currency, weighted }) => ({ currency, amount: weighted })))}</dd>
        </div>
      )}
      {won.count > 0 && (
        <div>
          <dt>Won</dt>
          <dd>
            {plural(won.count, 'deal')}
            {won.sums.length > 0 && <b>{moneyList(won.sums)}</b>}
          </dd>
        </div>
      )}
    </dl>
  )
}
