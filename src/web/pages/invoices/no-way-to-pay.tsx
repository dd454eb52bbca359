import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { BillingSettings, Invoice } from '#domains/invoices/contract.ts'
import { paths } from '../../paths.ts'
import { useIsAtLeast } from '../../queries.ts'
import { billingSettingsQuery } from '../../records/invoices/invoices-cache.ts'
import noticeClasses from '../../ui/notice.module.css'
import classes from './no-way-to-pay.module.css'

/** Changed settings are known immediately, the invoice only once it is read again. */
export function isPayable({ ways_to_pay, due }: Invoice, { bank }: BillingSettings): boolean {
  return bank !== null || ways_to_pay.includes('chain') || Number(due) === 0
}

/** Shown before anyone tries to send it. */
export function PayWarning({ invoice }: { invoice: Invoice }) {
  const settings = useQuery(billingSettingsQuery).data
  if (!settings || isPayable(invoice, settings)) return null
  return (
    <div className={classes.above}>
      <NoWayToPay />
    </div>
  )
}

export function NoWayToPay() {
  const isAdmin = useIsAtLeast('ADMIN')
  return (
    <p className={noticeClasses.box} role="note">
      <span>
        Customers have no way to pay yet, so this invoice cannot be sent.{' '}
        {isAdmin ? (
          <Link to={paths.billingSettings}>Add bank details</Link>
        ) : (
          'An admin can add bank details in Settings → Billing.'
        )}
      </span>
    </p>
  )
}
