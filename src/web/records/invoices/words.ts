import { excessOf, moneyText } from '#domains/invoices/amounts.ts'
import type { InvoiceSummary, Payment } from '#domains/invoices/contract.ts'
import {
  unpaidStatuses,
  type InvoiceStatus,
  type PaymentIssue,
  type Resolution,
} from '#domains/invoices/values.ts'
import { exactMoney } from '../../ui/money.ts'
import { plural } from '../../ui/words.ts'

const DAY_MS = 86_400_000

export const statusNames: Record<InvoiceStatus, string> = {
  DRAFT: 'Draft',
  OPEN: 'Open',
  PARTIALLY_PAID: 'Partially paid',
  PAID: 'Paid',
  VOID: 'Void',
}

export const statusTones: Record<InvoiceStatus, string> = {
  DRAFT: 'slate',
  OPEN: 'blue',
  PARTIALLY_PAID: 'amber',
  PAID: 'green',
  VOID: 'slate',
}

/** How it is called where it has no number yet. */
export function invoiceName({ number, customer }: Pick<InvoiceSummary, 'number' | 'customer'>): string {
  return number ?? (customer.name ? `Draft for ${customer.name}` : 'Draft invoice')
}

export function isUnpaid({ status }: Pick<InvoiceSummary, 'status'>): boolean {
  return (unpaidStatuses as readonly string[]).includes(status)
}

export function isOverdue(invoice: Pick<InvoiceSummary, 'status' | 'due_at'>, now: number): boolean {
  return isUnpaid(invoice) && invoice.due_at !== null && Date.parse(invoice.due_at) < now
}

/** A due date is a day on paper, the same in every zone. */
export function dueDay(due_at: string | null): string | undefined {
  return due_at?.slice(0, 10)
}

/** Until the end of that day, it is paid in time. */
export function dueAtEndOf(day: string): string {
  return `${day}T23:59:59.000Z`
}

/** "3 days overdue", "due today", "due in 5 days"; nothing where no money is awaited. */
export function dueInWords(invoice: Pick<InvoiceSummary, 'status' | 'due_at'>, now: number): string {
  if (!isUnpaid(invoice) || !invoice.due_at) return ''
  const due = Date.parse(invoice.due_at)
  const days = Math.floor(due / DAY_MS) - Math.floor(now / DAY_MS)
  if (due < now) return days === 0 ? 'overdue since today' : `${plural(-days, 'day')} overdue`
  if (days === 0) return 'due today'
  return days === 1 ? 'due tomorrow' : `due in ${plural(days, 'day')}`
}

export const methodNames: Record<Payment['method'], string> = {
  provider: 'By the payment provider',
  chain: 'On the chain',
  manual: 'Noted by hand',
  credit: 'From the customer’s credit',
}

export function isUndecided({ issue, resolution }: Pick<Payment, 'issue' | 'resolution'>): boolean {
  return issue !== null && resolution === null
}

type Judged = Pick<InvoiceSummary, 'amount' | 'due' | 'currency' | 'lead_id' | 'account_id'>
type Paid = Pick<Payment, 'issue' | 'amount' | 'applied' | 'currency'>

/** What is not as it should be, in a sentence. */
export function issueInWords(payment: Paid, invoice: Judged): string {
  const came = exactMoney(payment.amount, payment.currency)
  const words: Record<PaymentIssue, string> = {
    underpaid: `Less came than was asked for: ${exactMoney(invoice.due, invoice.currency)} of ${exactMoney(invoice.amount, invoice.currency)} is still to be paid.`,
    overpaid: `${excessInWords(payment)} more came than was due.`,
    late: 'It came after the invoice was due. It counts all the same.',
    void: `${came} came for an invoice that is void, so nothing of it counts.`,
    wrong_currency: `It came in ${payment.currency}, and the invoice is in ${invoice.currency}, so nothing of it counts.`,
    reorged: 'The chain took this payment back: it was there, and then it was not. It no longer counts.',
  }
  return payment.issue ? words[payment.issue] : ''
}

export type Decision = { resolution: Resolution; label: string; does: string }

/** What a person can decide about it, and what each does. */
export function decisionsOn(payment: Paid, invoice: Judged): Decision[] {
  const rest = exactMoney(invoice.due, invoice.currency)
  const came = exactMoney(payment.amount, payment.currency)
  const excess = excessInWords(payment)
  const refunded = (does: string): Decision => ({ resolution: 'refunded', label: 'It went back', does })
  // Credit is somebody's: of a customer that is neither a lead nor an account, nobody would find it again.
  const credited = (sum: string): Decision[] =>
    invoice.lead_id || invoice.account_id
      ? [
          {
            resolution: 'credited',
            label: 'Keep it as credit',
            does: `${sum} becomes credit of this customer. A later invoice can be paid with it.`,
          },
        ]
      : []
  switch (payment.issue) {
    case 'underpaid':
      return [
        {
          resolution: 'accepted',
          label: 'Take it as enough',
          does: `The rest, ${rest}, is written off and the invoice is paid.`,
        },
        refunded(`A note that ${came} was sent back. It no longer counts, and all of it is due again.`),
      ]
    case 'overpaid':
      return [
        ...credited(excess),
        refunded(`A note that ${excess} was sent back. The invoice stays paid.`),
        {
          resolution: 'accepted',
          label: 'Keep it',
          does: `${excess} stays with you, and nothing more is done.`,
        },
      ]
    case 'late':
      return [
        { resolution: 'accepted', label: 'Take it', does: 'It counts as if it had come in time.' },
        refunded(`A note that ${came} was sent back. It no longer counts.`),
      ]
    case 'void':
    case 'wrong_currency':
      return [
        ...credited(came),
        refunded(`A note that ${came} was sent back.`),
        { resolution: 'accepted', label: 'Keep it', does: 'It stays with you. It still does not count.' },
      ]
    case 'reorged':
      return [
        {
          resolution: 'accepted',
          label: 'I have seen it',
          does: 'Nothing more is done. What was not paid stays due.',
        },
      ]
    case null:
      return []
  }
}

export const resolutionNames: Record<Resolution, string> = {
  accepted: 'Accepted',
  refunded: 'Sent back',
  credited: 'Kept as credit',
}

/** What of the payment is good for nothing yet. */
export function excessInWords(payment: Pick<Payment, 'amount' | 'applied' | 'currency'>): string {
  return exactMoney(moneyText(excessOf(payment), payment.currency), payment.currency)
}
