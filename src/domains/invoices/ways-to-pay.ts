import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { isChainConfigured } from '#domains/settlements/service.ts'
import { unitsOf } from './amounts.ts'
import type { BillingSettings, Invoice } from './contract.ts'
import type { WayToPay } from './values.ts'

/** How an invoice in this currency can be paid, as the team and the installation are set up now. */
export function waysToPay(
  ctx: Context,
  currency: string,
  { bank }: Pick<BillingSettings, 'bank'>,
): WayToPay[] {
  return [...(bank ? ['bank' as const] : []), ...(takesOnChain(ctx, currency) ? ['chain' as const] : [])]
}

/** Whether the configured chain's token matches this currency. */
export function takesOnChain(ctx: Context, currency: string): boolean {
  return isChainConfigured(ctx) && ctx.runtime.ports.chain?.terms.currency === currency
}

/** Nobody is asked for money without being told how to pay it. */
export function refuseUnpayable({ ways_to_pay, due }: Invoice): void {
  if (ways_to_pay.length > 0 || unitsOf(due) === 0n) return
  throw new Problem(
    'conflict',
    'There is no way to pay this invoice yet. Add your bank details in Settings → Billing.',
    { code: 'no_way_to_pay' },
  )
}
