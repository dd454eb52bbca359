import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { deliveryFailed } from './contract.ts'

/** Why nobody tries it any more, for whoever decides what becomes of it. */
export const reasons = {
  removed: 'The address was removed.',
  disabled: 'The address was given up after five days without a success. Enable it, then send this again.',
  gone: 'The receiver said that it is gone (410).',
  lost: 'It could not be sent: something went wrong here each time.',
} as const

export function tellFailed(
  ctx: Context,
  endpoint: { name: string },
  delivery_id: string,
  reason: string,
): void {
  record(ctx, deliveryFailed, { kind: 'webhook_delivery', id: delivery_id }, { name: endpoint.name, reason })
}
