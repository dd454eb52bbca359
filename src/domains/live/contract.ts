import { defineEndpoints, Id, Instant, nullable, t, type Static } from '#platform/contract.ts'

/** One message of the stream; its SSE `id` is the place to resume from by `Last-Event-ID`. */
export const LiveChange = t.Object({
  type: t.String({ description: 'Event type, like lead.changed' }),
  id: Id,
  subject: t.Object({ kind: t.String(), id: Id }),
  at: Instant,
  actor_id: nullable(t.String()),
  data: t.Record(t.String(), t.Unknown()),
})
export type LiveChange = Static<typeof LiveChange>

export const endpoints = defineEndpoints({
  streamLive: {
    method: 'GET',
    path: '/api/live',
    summary:
      "Stream the team's changes as server-sent events: `change` messages, and `reset` if too many were missed",
    auth: { scope: 'leads:read' },
    query: t.Object(
      {
        last_event_id: t.Optional(t.String({ maxLength: 100 })),
        recent_s: t.Optional(
          t.Integer({
            minimum: 0,
            maximum: 60,
            description: 'Without a Last-Event-ID: start with changes from this many seconds ago',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    media: 'text/event-stream',
  },
})
