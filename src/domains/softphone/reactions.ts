import { on, type InboundRoute } from '#platform/registry.ts'
import { callEvents } from '#domains/calls/contract.ts'
import { onInbound } from '#domains/webhooks/effects.ts'
import { routeIncoming, takeIncoming } from './incoming.ts'
import { nameOf, takeResponse } from './responses.ts'
import { scheduleRetry } from './scheduling.ts'
import { hangUpEnded } from './service.ts'

export const reactions = [
  onInbound('realtime.call.incoming', 'softphone.incoming', takeIncoming),
  onInbound('response.completed', 'softphone.response', takeResponse('completed'), {
    sideBySide: event => [nameOf(event)],
  }),
  onInbound('response.failed', 'softphone.response', takeResponse('failed'), {
    sideBySide: event => [nameOf(event)],
  }),
  // One job for both: every call ends.
  on(
    callEvents.ended,
    'softphone.after',
    async (ctx, event) => {
      await hangUpEnded(ctx, event.subject_id)
      await scheduleRetry(ctx, event)
    },
    { sideBySide: ({ subject_id, lead_id }) => (lead_id ? [subject_id, lead_id] : [subject_id]) },
  ),
]

export const inboundRoutes: InboundRoute[] = [routeIncoming]
