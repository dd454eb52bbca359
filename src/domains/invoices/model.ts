import { invalid, Problem } from '#platform/problem.ts'
import { moneyText, totalsOf, unitsOf } from './amounts.ts'
import type { InvoiceLine, Payment } from './contract.ts'
import type { InvoiceStatus, PaymentIssue, Resolution } from './values.ts'

/** What `Money` can say, in ten-thousandths. */
const UNITS_MAX = 10n ** 19n - 1n

/** The sums of an invoice as they are kept. */
export function sumsOf(lines: readonly InvoiceLine[], currency: string) {
  const { subtotal, tax, amount } = totalsOf(lines, currency)
  if (amount > UNITS_MAX) throw invalid([{ path: 'lines', message: 'add up to more than can be billed' }])
  return {
    subtotal: moneyText(subtotal, currency),
    tax: moneyText(tax, currency),
    amount: moneyText(amount, currency),
  }
}

/** The payment state of an invoice. */
export type Standing = {
  status: InvoiceStatus
  currency: string
  amount: string
  paid: string
  written_off: string
  due_at: string | null
}

export function dueOf({ status, amount, paid, written_off }: Omit<Standing, 'currency' | 'due_at'>): bigint {
  if (status === 'VOID') return 0n
  const due = unitsOf(amount) - unitsOf(paid) - unitsOf(written_off)
  return due > 0n ? due : 0n
}

export type Money = Pick<Payment, 'method' | 'amount' | 'currency' | 'received_at'>

/** What a payment becomes: how much of it counts, and what is not as it should be. */
export function received(invoice: Standing, payment: Money): { applied: bigint; issue: PaymentIssue | null } {
  if (invoice.status === 'DRAFT') throw notOpen()
  if (invoice.status === 'VOID') return { applied: 0n, issue: 'void' }
  if (payment.currency !== invoice.currency) return { applied: 0n, issue: 'wrong_currency' }
  const amount = unitsOf(payment.amount)
  const due = dueOf(invoice)
  if (amount > due) return { applied: due, issue: 'overpaid' }
  if (amount < due) return { applied: amount, issue: 'underpaid' }
  return { applied: amount, issue: isLate(invoice, payment) ? 'late' : null }
}

/** The status of a numbered invoice, by what counts towards it. */
export function statusBy(invoice: Omit<Standing, 'currency' | 'due_at'>): InvoiceStatus {
  if (invoice.status === 'VOID' || invoice.status === 'DRAFT') return invoice.status
  if (dueOf(invoice) === 0n) return 'PAID'
  return unitsOf(invoice.paid) > 0n ? 'PARTIALLY_PAID' : 'OPEN'
}

/** What a decision about a payment comes to, in ten-thousandths. */
export type Decision = {
  /** What of the payment counts from now on. */
  applied: bigint
  /** What of the invoice nobody has to pay any more. */
  writtenOff: bigint
}

/** What can be decided is a table: what is missing from it has nothing that could be kept, sent back or credited. */
const decisions: Record<PaymentIssue, Partial<Record<Resolution, 'keep' | 'write_off' | 'uncount'>>> = {
  underpaid: { accepted: 'write_off', refunded: 'uncount' },
  // The excess is returned or becomes credit; the invoice is still paid.
  overpaid: { accepted: 'keep', refunded: 'keep', credited: 'keep' },
  late: { accepted: 'keep', refunded: 'uncount' },
  void: { accepted: 'keep', refunded: 'keep', credited: 'keep' },
  wrong_currency: { accepted: 'keep', refunded: 'keep', credited: 'keep' },
  // The chain took it back: there is nothing to keep, and nothing to send back.
  reorged: { accepted: 'keep' },
}

export function decided(
  invoice: Standing,
  payment: Pick<Payment, 'issue' | 'resolution' | 'applied'>,
  resolution: Resolution,
): Decision {
  if (payment.issue === null) {
    throw new Problem('conflict', 'This payment has no issue to resolve.', {
      code: 'nothing_to_decide',
    })
  }
  if (payment.resolution !== null) {
    throw new Problem('conflict', 'This payment is already resolved.', { code: 'resolved' })
  }
  const decision = decisions[payment.issue][resolution]
  if (decision === undefined) {
    throw new Problem('conflict', refusals[resolution], { code: `not_${resolution}` })
  }
  return {
    applied: decision === 'uncount' ? 0n : unitsOf(payment.applied),
    writtenOff: decision === 'write_off' ? dueOf(invoice) : 0n,
  }
}

const refusals: Record<Resolution, string> = {
  accepted: 'This payment cannot be accepted.',
  refunded: 'This payment has nothing to refund.',
  credited: 'No balance left to credit.',
}

/** Whose credit it is: the account's, else the lead's. */
export function customerOf(invoice: { account_id: string | null; lead_id: string | null }) {
  if (invoice.account_id) return { kind: 'account' as const, id: invoice.account_id }
  return invoice.lead_id ? { kind: 'lead' as const, id: invoice.lead_id } : undefined
}

export function notOpen(): Problem {
  return new Problem('conflict', 'This invoice is a draft. Finalize it first.', { code: 'not_open' })
}

/** What was there before the day is not late: credit never is. */
function isLate({ due_at }: Standing, { method, received_at }: Money): boolean {
  return method !== 'credit' && due_at !== null && Date.parse(received_at) > Date.parse(due_at)
}
