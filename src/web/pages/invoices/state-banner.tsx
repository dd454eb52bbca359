import type { ReactNode } from 'react'
import type { Invoice } from '#domains/invoices/contract.ts'
import { exactMoney } from '../../ui/money.ts'
import { dateInWords, Time, useNow } from '../../ui/time.tsx'
import { count, plural } from '../../ui/words.ts'
import { dueDay, dueInWords, isOverdue, isUndecided, statusNames } from '../../records/invoices/words.ts'
import classes from './state-banner.module.css'

const DAY_MS = 86_400_000

/** How the invoice stands, in words. */
export function StateBanner({ invoice }: { invoice: Invoice }) {
  const now = useNow()
  const { sent_at, status, customer } = invoice
  const undecided = invoice.payments.filter(isUndecided).length
  return (
    <section
      className={classes.banner}
      data-status={isOverdue(invoice, now) ? 'OVERDUE' : status}
      aria-label="State"
    >
      <p className={classes.state} role="status">
        <b>{isOverdue(invoice, now) ? 'Overdue' : statusNames[status]}</b> {stateInWords(invoice, now)}
      </p>
      {undecided > 0 && (
        <p className={classes.decide}>
          {undecided === 1 ? 'A payment waits' : `${plural(undecided, 'payment')} wait`} for your decision,
          below.
        </p>
      )}
      {status !== 'DRAFT' && status !== 'VOID' && (
        <p className={classes.about}>
          {sent_at ? (
            <>
              Sent to {customer.email ?? 'the customer'} <Time at={sent_at} />.
            </>
          ) : (
            'It was not sent by mail.'
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
      return 'It has no number yet, and nobody can pay it.'
    case 'OPEN':
      if (isOverdue(invoice, now)) return wasDue(invoice, now)
      return `${exactMoney(due, currency)} is to be paid${when(dueInWords(invoice, now))}.`
    case 'PARTIALLY_PAID':
      if (isOverdue(invoice, now))
        return `${exactMoney(paid, currency)} of ${exactMoney(amount, currency)} came. ${wasDue(invoice, now)}`
      return `${exactMoney(paid, currency)} of ${exactMoney(amount, currency)} came. ${exactMoney(due, currency)} is still to be paid${when(dueInWords(invoice, now))}.`
    case 'PAID':
      return (
        <>
          {Number(written_off) > 0
            ? `${exactMoney(written_off, currency)} was written off`
            : 'All of it came'}
          {invoice.paid_at && (
            <>
              {' '}
              <Time at={invoice.paid_at} />
            </>
          )}
          .{leadgen_credits > 0 && ` It granted ${count(leadgen_credits)} LeadGen credits.`}
        </>
      )
    case 'VOID':
      return 'Its number stays, and nothing is owed.'
  }
}

function when(words: string): string {
  return words && `, ${words}`
}

function wasDue({ due, currency, due_at }: Invoice, now: number): string {
  const days = due_at ? Math.floor(now / DAY_MS) - Math.floor(Date.parse(due_at) / DAY_MS) : 0
  const ago = days > 0 ? `, ${plural(days, 'day')} ago` : ', today'
  return `${exactMoney(due, currency)} was to be paid by ${dateInWords(dueDay(due_at) ?? '')}${ago}.`
}
