import type { InboundRoute } from '#platform/registry.ts'
import { onInbound } from '#domains/webhooks/effects.ts'
import * as inbound from './inbound.ts'

export const reactions = [
  onInbound('email.delivered', 'messages.delivered', (ctx, { data }) =>
    inbound.takeDelivered(ctx, data.data),
  ),
  onInbound('email.opened', 'messages.opened', (ctx, { data }) => inbound.takeOpened(ctx, data.data)),
  onInbound('email.bounced', 'messages.bounced', (ctx, { data }) => inbound.takeBounced(ctx, data.data)),
  onInbound('email.complained', 'messages.complained', (ctx, { data }) =>
    inbound.takeComplained(ctx, data.data),
  ),
  onInbound('email.received', 'messages.received', (ctx, { data }) => inbound.takeReceived(ctx, data.data)),
]

/** An event that names a message, or an address that one went to, is its team's. */
export const inboundRoutes: InboundRoute[] = [inbound.routeByMessage]
