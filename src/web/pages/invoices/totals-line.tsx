import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { unpaidStatuses } from '#domains/invoices/values.ts'
import { paths } from '../../paths.ts'
import { exactMoney } from '../../ui/money.ts'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { Bar } from '../../ui/states.tsx'
import { plural } from '../../ui/words.ts'
import { totalsQuery } from '../../records/invoices/invoices-cache.ts'
import stripClasses from '../../ui/strip.module.css'
import textClasses from '../../ui/text.module.css'

/** What is open, overdue, recently paid and to be resolved. Each links to its invoices. */
export function TotalsLine() {
  const { data } = useQuery(totalsQuery)
  if (!data) {
    return (
      <div className={stripClasses.strip}>
        <Bar width={320} />
      </div>
    )
  }
  const { currencies, issues } = data
  const open = currencies.filter(({ open }) => Number(open) > 0)
  const overdue = currencies.filter(({ overdue }) => Number(overdue) > 0)
  const paid = currencies.filter(({ paid_30_days }) => Number(paid_30_days) > 0)
  return (
    <dl className={stripClasses.strip} aria-label="Totals">
      <div>
        <dt>Open</dt>
        <Sums
          sums={open.map(({ currency, open }) => [currency, open])}
          search={currency => ({ status: [...unpaidStatuses], currency: [currency] })}
        />
      </div>
      <div data-alarm={overdue.length > 0 || undefined}>
        <dt>Overdue</dt>
        <Sums
          sums={overdue.map(({ currency, overdue }) => [currency, overdue])}
          search={currency => ({ currency: [currency], overdue: true })}
        />
      </div>
      <div>
        <dt>Paid, last 30 days</dt>
        <Sums
          sums={paid.map(({ currency, paid_30_days }) => [currency, paid_30_days])}
          search={currency => ({ status: ['PARTIALLY_PAID', 'PAID'], currency: [currency] })}
        />
      </div>
      {issues > 0 && (
        <div data-alarm>
          <dt className={textClasses.hidden}>To resolve</dt>
          <dd>
            <Link to={paths.invoices} search={{ issue: true }}>
              {plural(issues, 'payment')} to resolve
            </Link>
          </dd>
        </div>
      )}
    </dl>
  )
}

type Props = { sums: [currency: string, amount: string][]; search: (currency: string) => ListSearch }

/** Amounts in different currencies are shown side by side, never added up. */
function Sums({ sums, search }: Props) {
  if (sums.length === 0) return <dd>None</dd>
  return (
    <dd>
      {sums.map(([currency, amount]) => (
        <Link key={currency} to={paths.invoices} search={search(currency)}>
          {exactMoney(amount, currency)}
        </Link>
      ))}
    </dd>
  )
}
