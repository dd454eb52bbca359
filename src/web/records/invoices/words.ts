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

/** The number, or a name for a draft without one. */
export function invoiceName({ number, customer }: Pick<InvoiceSummary, 'number' | 'customer'>): string {
  return number ?? (customer.name ? `Draft for ${customer.name}` : 'Draft invoice')
}

export function isUnpaid({ status }: Pick<InvoiceSummary, 'status'>): boolean {
  return (unpaidStatuses as readonly string[]).includes(status)
}

export function isOverdue(invoice: Pick<InvoiceSummary, 'status' | 'due_at'>, now: number): boolean {
  return isUnpaid(invoice) && invoice.due_at !== null && Date.parse(invoice.due_at) < now
}

/** A due date is a calendar day, the same in every time zone. */
export function dueDay(due_at: string | null): string | undefined {
  return due_at?.slice(0, 10)
}

/** Paying by the end of that day is on time. */
export function dueAtEndOf(day: string): string {
  return `${day}T23:59:59.000Z`
}

/** "3 days overdue", "due today", "due in 5 days"; empty if nothing is due. */
export function dueInWords(invoice: Pick<InvoiceSummary, 'status' | 'due_at'>, now: number): string {
  if (!isUnpaid(invoice) || !invoice.due_at) return ''
  const due = Date.parse(invoice.due_at)
  const days = Math.floor(due / DAY_MS) - Math.floor(now / DAY_MS)
  if (due < now) return days === 0 ? 'overdue since today' : `${plural(-days, 'day')} overdue`
  if (days === 0) return 'due today'
  return days === 1 ? 'due tomorrow' : `due in ${plural(days, 'day')}`
}

export const methodNames: Record<Payment['method'], string> = {
  provider: 'Payment provider',
  chain: 'On-chain',
  manual: 'Recorded manually',
  credit: 'Customer credit',
}

export function isUndecided({ issue, resolution }: Pick<Payment, 'issue' | 'resolution'>): boolean {
  return issue !== null && resolution === null
}

type Judged = Pick<InvoiceSummary, 'amount' | 'due' | 'currency' | 'lead_id' | 'account_id'>
type Paid = Pick<Payment, 'issue' | 'amount' | 'applied' | 'currency'>

/** The issue of a payment as a sentence. */
export function issueInWords(payment: Paid, invoice: Judged): string {
  const came = exactMoney(payment.amount, payment.currency)
  const words: Record<PaymentIssue, string> = {
    underpaid: `Underpaid: ${exactMoney(invoice.due, invoice.currency)} of ${exactMoney(invoice.amount, invoice.currency)} is still due.`,
    overpaid: `Overpaid by ${excessInWords(payment)}.`,
    late: 'Paid after the due date. It still counts.',
    void: `${came} was paid for a void invoice, so it doesn't count.`,
    wrong_currency: `Paid in ${payment.currency}, but the invoice is in ${invoice.currency}, so it doesn't count.`,
    reorged: 'The chain reverted this payment, so it no longer counts.',
  }
  return payment.issue ? words[payment.issue] : ''
}

export type Decision = { resolution: Resolution; label: string; does: string }

/** How it can be resolved, and what each choice does. */
export function decisionsOn(payment: Paid, invoice: Judged): Decision[] {
  const rest = exactMoney(invoice.due, invoice.currency)
  const came = exactMoney(payment.amount, payment.currency)
  const excess = excessInWords(payment)
  const refunded = (does: string): Decision => ({ resolution: 'refunded', label: 'Mark as refunded', does })
  // Credit belongs to a lead or an account: without either, it could never be used.
  const credited = (sum: string): Decision[] =>
    invoice.lead_id || invoice.account_id
      ? [
          {
            resolution: 'credited',
            label: 'Keep as credit',
            does: `${sum} becomes credit for this customer's later invoices.`,
          },
        ]
      : []
  switch (payment.issue) {
    case 'underpaid':
      return [
        {
          resolution: 'accepted',
          label: 'Accept as full payment',
          does: `The remaining ${rest} is written off, and the invoice is paid.`,
        },
        refunded(`Records that ${came} was returned. It no longer counts and is due again.`),
      ]
    case 'overpaid':
      return [
        ...credited(excess),
        refunded(`Records that ${excess} was returned. The invoice stays paid.`),
        {
          resolution: 'accepted',
          label: 'Keep the excess',
          does: `You keep ${excess}. Nothing else changes.`,
        },
      ]
    case 'late':
      return [
        { resolution: 'accepted', label: 'Accept', does: 'It counts as paid on time.' },
        refunded(`Records that ${came} was returned. It no longer counts.`),
      ]
    case 'void':
    case 'wrong_currency':
      return [
        ...credited(came),
        refunded(`Records that ${came} was returned.`),
        { resolution: 'accepted', label: 'Keep the money', does: "You keep it, but it still doesn't count." },
      ]
    case 'reorged':
      return [
        {
          resolution: 'accepted',
          label: 'Acknowledge',
          does: 'Nothing else changes. The unpaid amount stays due.',
        },
      ]
    case null:
      return []
  }
}

export const resolutionNames: Record<Resolution, string> = {
  accepted: 'Accepted',
  refunded: 'Refunded',
  credited: 'Kept as credit',
}

/** The part of the payment that is not applied to the invoice. */
export function excessInWords(payment: Pick<Payment, 'amount' | 'applied' | 'currency'>): string {
  return exactMoney(moneyText(excessOf(payment), payment.currency), payment.currency)
}
