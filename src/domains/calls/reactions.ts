import type { InboundRoute } from '#platform/registry.ts'
import { onInbound } from '#domains/webhooks/effects.ts'
import { routeByCall } from './match-event.ts'
import { partiesTo, takeConnected, takeEnded, takeToolCall } from './inbound.ts'

/** Each holds its call, and then the lead. */
export const reactions = [
  onInbound('call_connected', 'calls.connect', takeConnected, { sideBySide: partiesTo }),
  onInbound('call_ended', 'calls.end', takeEnded, { sideBySide: partiesTo }),
  onInbound('tool_call', 'calls.tool', takeToolCall, { alone: true }),
]

export const inboundRoutes: InboundRoute[] = [routeByCall]
