import type { Context } from '#platform/context.ts'
import { bury, fence, type Job } from '#platform/jobs/queue.ts'
import { BankRefused, type BankInvoice } from '#platform/ports/bank.ts'
import { moneyText, unitsOf } from './amounts.ts'
import { records, type InvoiceRow } from './store.ts'

export const BANK_JOB = 'invoices.bank'

/**
 * Reports a paid invoice to the bank and stores its reference. A request whose response was lost is repeated
 * with the same key, the invoice's ID, so the bank books it once. An invoice that is no longer paid by then
 * is not reported.
 */
export async function reportToBank(ctx: Context, job: Job): Promise<void> {
  const { invoice_id } = job.data as { invoice_id: string }
  const invoice = await records.find(ctx, invoice_id)
  if (invoice?.status !== 'PAID' || invoice.bank_ref !== null) return
  const { reference } = await told(ctx, job, invoice)
  await ctx.transaction(async ctx => {
    fence(ctx, job)
    const [row] = await records.lockAll(ctx, [invoice_id])
    if (row?.bank_ref === null) records.change(ctx, row, { bank_ref: reference })
  })
}

/** What the bank refuses it would refuse again: that waits for a person at once, and not after hours of trying. */
async function told(ctx: Context, job: Job, invoice: InvoiceRow): Promise<{ reference: string }> {
  try {
    return await ctx.runtime.ports.bank.sync(bankInvoice(invoice), invoice.id)
  } catch (error) {
    if (error instanceof BankRefused) await bury(ctx, job, error.message)
    throw error
  }
}

function bankInvoice({ id, number, amount, paid, currency, customer, paid_at }: InvoiceRow): BankInvoice {
  return {
    invoice_id: id,
    number: number!,
    amount: moneyText(unitsOf(amount), currency),
    paid: moneyText(unitsOf(paid), currency),
    currency,
    customer: customer.name ?? customer.email,
    paid_at: paid_at!,
  }
}
