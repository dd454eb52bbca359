import { defineEndpoints, Id, Instant, nullable, t, type Static } from '#platform/contract.ts'

/** One message of the stream; its SSE `id` is the place to resume from by `Last-Event-ID`. */
export const LiveChange = t.Object({
  type: t.String({ description: 'The event, like lead.changed' }),
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
      "Server-sent events of the team's changes: `change` messages, and `reset` when too much was missed",
    auth: { scope: 'leads:read' },
    query: t.Object(
      {
        last_event_id: t.Optional(t.String({ maxLength: 100 })),
        recent_s: t.Optional(
          t.Integer({
            minimum: 0,
            maximum: 60,
            description:
              'Without a place to resume from: begin with what happened in the last so many seconds',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    media: 'text/event-stream',
  },
})
