import type { Context } from '#platform/context.ts'
import { moneyText, unitsOf } from './amounts.ts'
import type { InvoiceTotals } from './contract.ts'
import { countOpen, sumsReceived } from './payment-store.ts'
import { sumsByCurrency } from './store.ts'

const LOOK_BACK_MS = 30 * 86_400_000

export { countOpen as countOpenPayments } from './payment-store.ts'

/** What is open, overdue and came in lately, in each currency that has any of it. */
export async function readTotals(ctx: Context): Promise<InvoiceTotals> {
  const [sums, received, issues] = await Promise.all([
    sumsByCurrency(ctx),
    sumsReceived(ctx, ctx.in(-LOOK_BACK_MS)),
    countOpen(ctx),
  ])
  const came = new Map(received.map(({ currency, received }) => [currency, received]))
  const known = new Map(sums.map(row => [row.currency, row]))
  const currencies = [...new Set([...known.keys(), ...came.keys()])].toSorted()
  const money = (text: string | undefined, currency: string) => moneyText(unitsOf(text ?? '0'), currency)
  return {
    currencies: currencies.map(currency => ({
      currency,
      open: money(known.get(currency)?.open, currency),
      overdue: money(known.get(currency)?.overdue, currency),
      paid_30_days: money(came.get(currency), currency),
      drafts: known.get(currency)?.drafts ?? 0,
    })),
    issues,
  }
}
