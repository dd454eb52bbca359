import type { Context } from '#platform/context.ts'
import type { InvoiceRequest } from '#platform/offers.ts'
import { createInvoice, getInvoice, openInvoice } from './service.ts'
import { living } from './references.ts'
import { locked } from './settings.ts'
import { findBySource } from './store.ts'

const DEFAULT_DESCRIPTION = 'Services'

/** An invoice that an automation asks for: open, so that it can be paid at once. The same key answers the same invoice. */
export async function generateInvoice(
  ctx: Context,
  { key, amount, currency, description, due_at, ...ids }: InvoiceRequest,
): Promise<{ id: string; number: string }> {
  return ctx.transaction(async ctx => {
    // Two who ask with one key come one after the other.
    await locked(ctx)
    const before = await findBySource(ctx, key)
    const id = before?.id ?? (await draft())
    const invoice =
      before && before.status !== 'DRAFT' ? await getInvoice(ctx, id) : await openInvoice(ctx, id)
    return { id, number: invoice.number! }

    async function draft(): Promise<string> {
      const line = {
        description: description ?? DEFAULT_DESCRIPTION,
        quantity: '1',
        unit_price: amount,
      }
      const input = { ...(await living(ctx, ids)), lines: [line], currency, due_at }
      return (await createInvoice(ctx, input, { source_key: key })).id
    }
  })
}
