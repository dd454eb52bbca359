import type { Context } from '#platform/context.ts'
import { findAddress, payAddressesOf } from './addresses.ts'
import { moneyText, unitsOf } from './amounts.ts'
import type { Invoice, InvoiceSummary, ListInvoices, Payment } from './contract.ts'
import { customerOf, dueOf } from './model.ts'
import { findCredit, findPayments, type PaymentRow } from './payment-store.ts'
import { getSettings } from './settings.ts'
import { list, quick, records, type InvoiceRow } from './store.ts'
import { waysToPay } from './ways-to-pay.ts'

export async function getInvoice(ctx: Context, id: string): Promise<Invoice> {
  return inFull(ctx, await records.get(ctx, id))
}

export async function listInvoices(ctx: Context, query: ListInvoices) {
  const { data, next_cursor } = await list(ctx, query)
  return { data: await inShort(ctx, data), next_cursor }
}

export async function quickInvoices(ctx: Context, q: string, limit: number): Promise<InvoiceSummary[]> {
  return inShort(ctx, await quick(ctx, q, limit))
}

/** For who pays: the link says nothing of a team, and leads to one. */
export async function findInvoiceByToken(
  ctx: Context,
  token: string,
): Promise<{ team_id: string; invoice: Invoice } | undefined> {
  const address = await findAddress(ctx, token)
  if (!address) return undefined
  const { team_id, invoice_id } = address
  const within = ctx.forTeam(team_id)
  const row = await records.find(within, invoice_id)
  return row && { team_id, invoice: await inFull(within, row) }
}

/** With its payments, and with what else could pay it. */
export async function inFull(ctx: Context, row: InvoiceRow): Promise<Invoice> {
  const { currency } = row
  const [summary] = await inShort(ctx, [row])
  const payments = await findPayments(ctx, row.id)
  const customer = customerOf(row)
  const credit = customer ? await findCredit(ctx, customer, currency) : '0'
  return {
    ...summary!,
    payments: payments.map(shownPayment),
    credit: moneyText(unitsOf(credit), currency),
    ways_to_pay: waysToPay(ctx, currency, await getSettings(ctx)),
  }
}

async function inShort(ctx: Context, rows: readonly InvoiceRow[]): Promise<InvoiceSummary[]> {
  const numbered = rows.filter(({ number }) => number !== null).map(({ id }) => id)
  const payAddressOf = await payAddressesOf(ctx, numbered)
  return rows.map(({ reminders_sent: _, source_key: __, ...row }) => ({
    ...row,
    paid: moneyText(unitsOf(row.paid), row.currency),
    written_off: moneyText(unitsOf(row.written_off), row.currency),
    due: moneyText(dueOf(row), row.currency),
    ...payAddressOf(row.id),
  }))
}

function shownPayment({ reference: _, told_by: __, created_at: ___, ...payment }: PaymentRow): Payment {
  return {
    ...payment,
    amount: moneyText(unitsOf(payment.amount), payment.currency),
    applied: moneyText(unitsOf(payment.applied), payment.currency),
  }
}
