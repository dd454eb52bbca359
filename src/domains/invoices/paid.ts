import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { grantPurchase } from '#domains/credits/service.ts'
import { leadConverted } from '#domains/enrolments/engagement.ts'
import { changeOpportunity, lockOpportunity } from '#domains/opportunities/service.ts'
import { isClosed } from '#domains/opportunities/values.ts'
import { BANK_JOB } from './bank.ts'
import { invoiceEvents } from './contract.ts'
import { records, type InvoiceRow } from './store.ts'

/** What every invoice event contains, so that listeners need not load the invoice. */
export function told({ number, amount, currency, opportunity_id, leadgen_credits }: InvoiceRow) {
  return { number, amount, currency, opportunity_id, leadgen_credits }
}

/**
 * Everything that comes of being paid, in the transaction that pays it: all of it or nothing. The bank goes by a job: it
 * may be told again, the ledger may not.
 */
export async function celebrate(ctx: Context, invoice: InvoiceRow): Promise<void> {
  record(ctx, invoiceEvents.paid, records.about(invoice), told(invoice))
  await fulfilCredits(ctx, invoice)
  await winOpportunity(ctx, invoice)
  if (invoice.lead_id) await leadConverted(ctx, invoice.lead_id)
  enqueue(ctx, { kind: BANK_JOB, data: { invoice_id: invoice.id } })
}

/** Booked once for an invoice, however often the chain takes its payment back. */
async function fulfilCredits(ctx: Context, { id, number, leadgen_credits }: InvoiceRow): Promise<void> {
  if (leadgen_credits === 0) return
  await grantPurchase(ctx, { amount: leadgen_credits, reference: id, note: `Invoice ${number}` })
}

async function winOpportunity(ctx: Context, { opportunity_id }: InvoiceRow): Promise<void> {
  if (!opportunity_id) return
  const opportunity = await lockOpportunity(ctx, opportunity_id)
  if (!opportunity || opportunity.deleted_at || isClosed(opportunity.stage)) return
  await changeOpportunity(ctx, opportunity_id, { stage: 'closed_won' })
}
