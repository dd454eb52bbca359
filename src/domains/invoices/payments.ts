import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { unchangedSince } from '#platform/version.ts'
import { excessOf, moneyText, unitsOf } from './amounts.ts'
import { invoiceEvents, type Invoice, type NewPayment, type NewResolution, type Payment } from './contract.ts'
import { customerOf, decided, dueOf, received, statusBy } from './model.ts'
import { celebrate, told } from './paid.ts'
import * as store from './payment-store.ts'
import type { PaymentRow } from './payment-store.ts'
import { inFull } from './reading.ts'
import { records, type InvoiceRow } from './store.ts'

export type Incoming = Pick<Payment, 'method' | 'amount' | 'currency' | 'received_at'> & {
  /** The same payment told twice is one. */
  reference: string
  network?: string | null
  tx_hash?: string | null
  payer?: string | null
  note?: string | null
  /** The name of the provider's event. */
  told_by?: string
}

/** Books money that came for an invoice, once for each reference, and whatever comes of it. */
export async function applyPayment(ctx: Context, invoice_id: string, incoming: Incoming): Promise<Invoice> {
  return ctx.transaction(async ctx => {
    const invoice = await locked(ctx, invoice_id)
    const before = await store.findPayments(ctx, invoice_id)
    if (before.some(payment => isSame(payment, incoming))) return inFull(ctx, invoice)
    return inFull(ctx, await book(ctx, invoice, before, incoming))
  })
}

/** What a person notes: money that came by another way, or credit of the customer that is used. */
export async function recordPayment(
  ctx: Context,
  invoice_id: string,
  { method, amount, received_at, note }: NewPayment,
  ifMatch?: string,
): Promise<Invoice> {
  return ctx.transaction(async ctx => {
    const invoice = unchangedSince(await locked(ctx, invoice_id), ifMatch)
    if (unitsOf(amount) === 0n) throw invalid([{ path: 'amount', message: 'must be more than 0' }])
    if (method === 'credit') await requireCredit(ctx, invoice, amount)
    const { currency } = invoice
    const money = { method, amount, currency, received_at: received_at ?? ctx.now(), note: note ?? null }
    const before = await store.findPayments(ctx, invoice_id)
    return inFull(ctx, await book(ctx, invoice, before, { ...money, reference: `${method} ${ctx.newId()}` }))
  })
}

/** What becomes of a payment with which something is wrong: a person says. */
export async function resolvePayment(
  ctx: Context,
  invoice_id: string,
  payment_id: string,
  { resolution, note }: NewResolution,
  ifMatch?: string,
): Promise<Invoice> {
  return ctx.transaction(async ctx => {
    const invoice = unchangedSince(await locked(ctx, invoice_id), ifMatch)
    const payments = await store.findPayments(ctx, invoice_id)
    const payment = payments.find(({ id }) => id === payment_id)
    if (!payment) throw new Problem('not_found', 'No such payment.')
    const { applied, writtenOff } = decided(invoice, payment, resolution)
    if (resolution === 'credited') await requireCustomer(ctx, invoice, payment)
    const change = {
      applied: moneyText(applied, payment.currency),
      resolution,
      resolution_note: note ?? null,
      resolved_by: ctx.principal?.user_id ?? null,
      resolved_at: ctx.now(),
    }
    store.updatePayment(ctx, payment_id, change)
    record(ctx, invoiceEvents.resolved, records.about(invoice), {
      ...told(invoice),
      payment_id,
      resolution,
    })
    const paid = unitsOf(invoice.paid) - unitsOf(payment.applied) + applied
    const written_off = unitsOf(invoice.written_off) + writtenOff
    const others = payments.filter(({ id }) => id !== payment_id)
    return inFull(ctx, await stand(ctx, invoice, others, { paid, written_off }))
  })
}

/** What the chain took back counts no longer, whatever was decided about it before. */
export async function takeBackPayments(ctx: Context, tx_hash: string): Promise<void> {
  await recount(ctx, tx_hash, ({ issue }) => issue !== 'reorged', undecided)
}

/** The chain has it again after all: it counts as if it came just now. */
export async function restorePayments(ctx: Context, tx_hash: string): Promise<void> {
  await recount(
    ctx,
    tx_hash,
    ({ issue }) => issue === 'reorged',
    (invoice, payment) => {
      const { applied, issue } = received(invoice, payment)
      return { ...undecided(), applied: moneyText(applied, payment.currency), issue }
    },
  )
}

export async function locked(ctx: Context, invoice_id: string): Promise<InvoiceRow> {
  return records.getForChange(ctx, invoice_id)
}

/** Saves the payment and updates the invoice, which is locked so that payments are counted one at a time. */
export async function book(
  ctx: Context,
  invoice: InvoiceRow,
  before: readonly PaymentRow[],
  { told_by, ...incoming }: Incoming,
): Promise<InvoiceRow> {
  const { applied, issue } = received(invoice, incoming)
  const payment: PaymentRow = {
    network: null,
    tx_hash: null,
    payer: null,
    note: null,
    ...incoming,
    id: ctx.newId(),
    invoice_id: invoice.id,
    amount: moneyText(unitsOf(incoming.amount), incoming.currency),
    applied: moneyText(applied, incoming.currency),
    told_by: told_by === undefined ? [] : [told_by],
    issue,
    resolution: null,
    resolution_note: null,
    resolved_by: null,
    resolved_at: null,
    created_at: ctx.now(),
  }
  store.insertPayment(ctx, payment)
  tellPayment(ctx, invoice, payment)
  const paid = unitsOf(invoice.paid) + applied
  return stand(ctx, invoice, before, { paid, written_off: unitsOf(invoice.written_off) })
}

type Recount = (invoice: InvoiceRow, payment: PaymentRow) => Partial<PaymentRow> & { applied: string }

async function recount(
  ctx: Context,
  tx_hash: string,
  isMeant: (payment: PaymentRow) => boolean,
  changeOf: Recount,
): Promise<void> {
  await ctx.transaction(async ctx => {
    for (const invoice_id of await store.findPaidBy(ctx, tx_hash)) {
      const invoice = await locked(ctx, invoice_id)
      const payments = await store.findPayments(ctx, invoice_id)
      const payment = payments.find(each => each.tx_hash === tx_hash && isMeant(each))
      if (!payment) continue
      const change = changeOf(invoice, payment)
      store.updatePayment(ctx, payment.id, change)
      tellPayment(ctx, invoice, { ...payment, ...change })
      const paid = unitsOf(invoice.paid) - unitsOf(payment.applied) + unitsOf(change.applied)
      // The rest was forgiven to who had paid this.
      const forgiven = payment.issue === 'underpaid' && payment.resolution === 'accepted'
      const written_off = forgiven ? 0n : unitsOf(invoice.written_off)
      await stand(ctx, invoice, payments, { paid, written_off })
    }
  })
}

/** A provider may have reported the transaction before it was proven, or the other way round. */
function isSame(payment: PaymentRow, { reference, tx_hash }: Incoming): boolean {
  return payment.reference === reference || (Boolean(tx_hash) && payment.tx_hash === tx_hash)
}

function undecided() {
  return {
    applied: '0',
    issue: 'reorged' as const,
    resolution: null,
    resolution_note: null,
    resolved_by: null,
    resolved_at: null,
  }
}

/** Updates the invoice by what counts now. An underpayment is cleared once the rest has arrived. */
async function stand(
  ctx: Context,
  invoice: InvoiceRow,
  payments: readonly PaymentRow[],
  sums: { paid: bigint; written_off: bigint },
): Promise<InvoiceRow> {
  const { currency } = invoice
  const after = {
    paid: moneyText(sums.paid, currency),
    written_off: moneyText(sums.written_off, currency),
  }
  const status = statusBy({ ...invoice, ...after })
  const isPaid = status === 'PAID'
  const paid_at = isPaid ? (invoice.paid_at ?? ctx.now()) : null
  const written = records.write(ctx, invoice, { ...after, status, paid_at })
  if (!isPaid || invoice.status === 'PAID') return written
  for (const { id, issue, resolution } of payments)
    if (issue === 'underpaid' && resolution === null) store.updatePayment(ctx, id, { issue: null })
  await celebrate(ctx, written)
  return written
}

function tellPayment(ctx: Context, invoice: InvoiceRow, { id, amount, issue }: PaymentRow): void {
  record(ctx, invoiceEvents.payment, records.about(invoice), {
    ...told(invoice),
    payment_id: id,
    received: amount,
    issue,
  })
}

/** Credit pays at most what is due and at most what is available: concurrent uses wait. */
async function requireCredit(ctx: Context, invoice: InvoiceRow, amount: string): Promise<void> {
  const customer = customerOf(invoice)
  if (!customer) throw noCustomer()
  if (unitsOf(amount) > dueOf(invoice)) {
    throw new Problem('conflict', 'This is more than the amount due.', { code: 'more_than_due' })
  }
  await store.lockCredit(ctx, customer, invoice.currency)
  const credit = await store.findCredit(ctx, customer, invoice.currency)
  if (unitsOf(amount) <= unitsOf(credit)) return
  const left = `${moneyText(unitsOf(credit), invoice.currency)} ${invoice.currency}`
  throw new Problem('conflict', `The customer only has ${left} in credit.`, { code: 'too_little_credit' })
}

/** Credit belongs to somebody, and there must be something left of the money. */
async function requireCustomer(ctx: Context, invoice: InvoiceRow, payment: PaymentRow): Promise<void> {
  const customer = customerOf(invoice)
  if (!customer) throw noCustomer()
  if (excessOf(payment) === 0n) {
    throw new Problem('conflict', 'No balance left to credit.', { code: 'not_credited' })
  }
  await store.lockCredit(ctx, customer, payment.currency)
}

function noCustomer(): Problem {
  return new Problem('conflict', 'The invoice has no account or lead to credit.', {
    code: 'no_customer',
  })
}
