import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { deliveryFailed } from './contract.ts'

/** Why it is no longer retried, for the person who decides what to do. */
export const reasons = {
  removed: 'The endpoint was removed.',
  disabled:
    'The endpoint was disabled after five days without a successful delivery. Enable it, then resend.',
  gone: 'The receiver returned 410 Gone.',
  lost: 'It could not be sent because of an internal error.',
} as const

export function notifyFailed(
  ctx: Context,
  endpoint: { name: string },
  delivery_id: string,
  reason: string,
): void {
  record(ctx, deliveryFailed, { kind: 'webhook_delivery', id: delivery_id }, { name: endpoint.name, reason })
}
