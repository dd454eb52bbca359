import type { ReactNode } from 'react'
import type { Invoice } from '#domains/invoices/contract.ts'
import { exactMoney } from '../../ui/money.ts'
import { dateInWords, Time, useNow } from '../../ui/time.tsx'
import { count, plural } from '../../ui/words.ts'
import { dueDay, dueInWords, isOverdue, isUndecided, statusNames } from '../../records/invoices/words.ts'
import classes from './state-banner.module.css'

const DAY_MS = 86_400_000

/** The status of the invoice in words. */
export function StateBanner({ invoice }: { invoice: Invoice }) {
  const now = useNow()
  const { sent_at, status, customer } = invoice
  const undecided = invoice.payments.filter(isUndecided).length
  return (
    <section
      className={classes.banner}
      data-status={isOverdue(invoice, now) ? 'OVERDUE' : status}
      aria-label="Status"
    >
      <p className={classes.state} role="status">
        <b>{isOverdue(invoice, now) ? 'Overdue' : statusNames[status]}</b> {stateInWords(invoice, now)}
      </p>
      {undecided > 0 && <p className={classes.decide}>{plural(undecided, 'payment')} to resolve below.</p>}
      {status !== 'DRAFT' && status !== 'VOID' && (
        <p className={classes.about}>
          {sent_at ? (
            <>
              Sent to {customer.email ?? 'the customer'} <Time at={sent_at} />.
            </>
          ) : (
            'Not emailed yet.'
          )}
        </p>
      )}
    </section>
  )
}

function stateInWords(invoice: Invoice, now: number): ReactNode {
  const { amount, paid, due, currency, written_off, leadgen_credits } = invoice
  switch (invoice.status) {
    case 'DRAFT':
      return "It has no number yet and can't be paid."
    case 'OPEN':
      if (isOverdue(invoice, now)) return wasDue(invoice, now)
      return `${exactMoney(due, currency)} ${dueInWords(invoice, now) || 'due'}.`
    case 'PARTIALLY_PAID':
      if (isOverdue(invoice, now))
        return `${exactMoney(paid, currency)} of ${exactMoney(amount, currency)} paid. ${wasDue(invoice, now)}`
      return `${exactMoney(paid, currency)} of ${exactMoney(amount, currency)} paid. ${exactMoney(due, currency)} ${dueInWords(invoice, now) || 'due'}.`
    case 'PAID':
      return (
        <>
          {Number(written_off) > 0 ? `${exactMoney(written_off, currency)} written off` : 'Received in full'}
          {invoice.paid_at && (
            <>
              {' '}
              <Time at={invoice.paid_at} />
            </>
          )}
          .{leadgen_credits > 0 && ` ${count(leadgen_credits)} LeadGen credits granted.`}
        </>
      )
    case 'VOID':
      return 'It keeps its number, and nothing is owed.'
  }
}

function wasDue({ due, currency, due_at }: Invoice, now: number): string {
  const days = due_at ? Math.floor(now / DAY_MS) - Math.floor(Date.parse(due_at) / DAY_MS) : 0
  const ago = days > 0 ? `, ${plural(days, 'day')} ago` : ', today'
  return `${exactMoney(due, currency)} was due on ${dateInWords(dueDay(due_at) ?? '')}${ago}.`
}
