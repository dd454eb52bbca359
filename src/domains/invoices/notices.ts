import type { Context } from '#platform/context.ts'
import { isId } from '#platform/ids.ts'
import { reserve } from '#domains/settlements/service.ts'
import type { Outcome } from '#domains/webhooks/effects.ts'
import { findReferenced } from './addresses.ts'
import { moneyText, unitsOf } from './amounts.ts'
import { dueOf } from './model.ts'
import { book, locked } from './payments.ts'
import { findPayments, updatePayment, type PaymentRow } from './payment-store.ts'
import { findByNumber, records, type InvoiceRow } from './store.ts'

const TEXT_LENGTH_MAX = 200

/** What a provider says of a payment, as far as it can be understood. */
type Notice = {
  amount: bigint | undefined
  currency: string
  tx_hash: string | null
  network: string | null
  payer: string | null
}

type Told = { eventId: string; data: Record<string, unknown>; at: string }

/**
 * A provider tells that money came. Its two names for it are one thing: the same transaction, or the same amount under the
 * other name, is one payment.
 */
export async function takeNotice(ctx: Context, type: string, { eventId, data, at }: Told): Promise<Outcome> {
  const named = textIn(data.invoiceId)
  const found = named === null ? undefined : await findNamed(ctx, named)
  if (!found) return { matched: false, note: 'No matching invoice.' }
  if (found.status === 'DRAFT') return { matched: false, note: 'The invoice is still a draft.' }
  const notice = readNotice(data, found.currency)
  if (typeof notice === 'string') return { matched: false, note: notice }
  const invoice = await locked(ctx, found.id)
  const payments = await findPayments(ctx, invoice.id)
  const known = payments.find(payment => isSame(payment, notice, type))
  const { lead_id } = invoice
  if (known) return { ...again(ctx, known, notice, type), lead_id }
  const amount = notice.amount ?? dueOf(invoice)
  if (amount === 0n) return { matched: true, note: 'Nothing was due.', lead_id }
  const shown = moneyText(amount, notice.currency)
  if (
    notice.tx_hash !== null &&
    !(await reserve(ctx, invoice.id, { ...notice, tx_hash: notice.tx_hash, amount: shown }))
  )
    return { matched: false, note: 'This transaction already paid for something else.' }
  await book(ctx, invoice, payments, {
    method: 'provider',
    reference: notice.tx_hash ?? `${type} ${eventId}`,
    amount: shown,
    currency: notice.currency,
    network: notice.network,
    tx_hash: notice.tx_hash,
    payer: notice.payer,
    received_at: at,
    told_by: type,
  })
  return { matched: true, lead_id }
}

/** The text that names an invoice in a provider's event: our id, the reference to quote, or the number on it. */
export function invoiceNamed(data: Record<string, unknown>): string | null {
  return textIn(data.invoiceId)
}

async function findNamed(ctx: Context, named: string): Promise<InvoiceRow | undefined> {
  const id = isId(named) ? named : await findReferenced(ctx, named)
  const found = id === undefined ? await findByNumber(ctx, named) : await records.find(ctx, id)
  return found?.deleted_at ? undefined : found
}

function isSame(payment: PaymentRow, notice: Notice, type: string): boolean {
  if (notice.tx_hash !== null && payment.tx_hash === notice.tx_hash) return true
  // Only the other name can tell of the same payment without its transaction.
  if (payment.method !== 'provider' || payment.told_by.includes(type)) return false
  if (notice.tx_hash !== null && payment.tx_hash !== null) return false
  if (notice.amount === undefined) return true
  return unitsOf(payment.amount) === notice.amount && payment.currency === notice.currency
}

function again(ctx: Context, payment: PaymentRow, notice: Notice, type: string): Outcome {
  if (!payment.told_by.includes(type))
    updatePayment(ctx, payment.id, {
      told_by: [...payment.told_by, type],
      tx_hash: payment.tx_hash ?? notice.tx_hash,
      network: payment.network ?? notice.network,
      payer: payment.payer ?? notice.payer,
    })
  return { matched: true, note: 'This payment is already recorded.' }
}

/** What it says, or in words why it cannot be used. */
function readNotice(data: Record<string, unknown>, invoiceCurrency: string): Notice | string {
  const amount = amountIn(data.amount)
  if (amount === null) return 'The amount is not valid.'
  const currency = currencyIn(data.currency, invoiceCurrency)
  if (currency === null) return 'The currency is not valid.'
  return {
    amount,
    currency,
    tx_hash: hashIn(data.txHash),
    network: textIn(data.network),
    payer: textIn(data.payer),
  }
}

/** Undefined where it says none, null where it says something else than an amount. */
function amountIn(value: unknown): bigint | undefined | null {
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^\d{1,15}(?:\.\d{1,30})?$/.test(text)) return null
  const units = unitsOf(text)
  return units > 0n ? units : null
}

/** A stablecoin counts as its currency. */
const coins: Record<string, string> = {
  USDC: 'USD',
  USDT: 'USD',
  DAI: 'USD',
  PYUSD: 'USD',
  USDS: 'USD',
  EURC: 'EUR',
}

function currencyIn(value: unknown, invoiceCurrency: string): string | null {
  if (value === undefined || value === null) return invoiceCurrency
  const text = textIn(value)?.toUpperCase() ?? ''
  const currency = coins[text] ?? text
  return /^[A-Z]{3}$/.test(currency) ? currency : null
}

/** The same transaction is written in one way. */
function hashIn(value: unknown): string | null {
  const text = textIn(value)
  return text !== null && /^0x/i.test(text) ? text.toLowerCase() : text
}

function textIn(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return null
  return text.trim().slice(0, TEXT_LENGTH_MAX) || null
}
