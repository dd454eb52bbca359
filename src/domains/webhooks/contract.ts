import {
  anyOf,
  ById,
  defineEndpoints,
  Id,
  Instant,
  listOf,
  nullable,
  oneOf,
  paging,
  t,
  type Static,
} from '#platform/contract.ts'
import { defineEvent, type EventType } from '#platform/events.ts'
import { signedEndpoints, type SignedEndpoint } from '#platform/signature.ts'
import { acceptedTypes, inboundStatuses, WAIT_MAX_S, type InboundType } from './values.ts'

const ToolResult = t.Object({ ok: t.Boolean(), text: t.String() })

export const Receipt = t.Object({
  eventId: t.String(),
  status: oneOf(['accepted', 'duplicate', 'ignored'], 'accepted: stored, its effects will follow'),
  result: t.Optional(ToolResult),
  results: t.Optional(
    t.Array(t.Object({ toolCallId: t.String(), result: ToolResult }), {
      description: 'Result of the requested tool, if the response waited for it',
    }),
  ),
})
export type Receipt = Static<typeof Receipt>

const inbound = {
  id: Id,
  endpoint: oneOf(signedEndpoints),
  event_id: t.String(),
  type: t.String(),
  status: oneOf(inboundStatuses),
  duplicates: t.Integer({ description: 'Number of repeated deliveries' }),
  replays: t.Integer(),
  received_at: Instant,
  repeated_at: nullable(t.String({ format: 'date-time', description: 'Time of the last repeated delivery' })),
}
export const InboundEvent = t.Object(inbound, { $id: 'InboundEvent' })
export type InboundEvent = Static<typeof InboundEvent>

export const Effect = t.Object({
  reaction: t.String({ description: 'Part of the product that handled it' }),
  outcome: oneOf(['done', 'unmatched', 'failed']),
  note: nullable(t.String()),
  at: Instant,
})
export type Effect = Static<typeof Effect>

export const InboundEventInFull = t.Object({
  ...inbound,
  body: t.String({ description: 'Raw body as received' }),
  effects: t.Array(Effect),
  caused: t.Array(
    t.Object({
      event_id: Id,
      type: t.String(),
      subject: t.Object({ kind: t.String(), id: Id }),
      lead_id: nullable(Id),
      at: Instant,
    }),
    { description: 'Events it caused, oldest first, at most 100' },
  ),
})
export type InboundEventInFull = Static<typeof InboundEventInFull>

const filters = {
  endpoint: anyOf(oneOf(signedEndpoints)),
  type: anyOf(t.String({ maxLength: 100 })),
  status: anyOf(oneOf(inboundStatuses)),
  event_id: t.Optional(t.String({ maxLength: 255 })),
  from: t.Optional(Instant),
  until: t.Optional(Instant),
}
export const ListInbox = t.Object({ ...paging, ...filters }, { additionalProperties: false })
export type ListInbox = Static<typeof ListInbox>

export const ReplayWindow = t.Object(
  {
    from: Instant,
    until: Instant,
    endpoint: t.Optional(t.Array(oneOf(signedEndpoints), { minItems: 1, maxItems: 4 })),
    type: t.Optional(t.Array(t.String({ maxLength: 100 }), { minItems: 1, maxItems: 20 })),
    status: t.Optional(t.Array(oneOf(inboundStatuses), { minItems: 1, maxItems: 6 })),
  },
  { additionalProperties: false },
)
export type ReplayWindow = Static<typeof ReplayWindow>

/** A provider's event; fields may be next to `type` instead of under `data`. */
const Envelope = t.Object({
  eventId: t.Optional(t.String({ description: 'Falls back to `id`, then to the webhook-id header' })),
  type: t.Optional(t.String({ description: 'Or `event`' })),
  data: t.Optional(t.Record(t.String(), t.Unknown())),
})

const team = t.Optional(
  t.String({
    pattern: '^[0-9a-f]{24}$',
    description: 'ID of the team it belongs to, if the event does not say',
  }),
)
const wait = t.Optional(
  t.Integer({
    minimum: 0,
    maximum: WAIT_MAX_S,
    description: 'Seconds to wait for the result of a tool_call; or `Prefer: wait=…`',
  }),
)

function received<const Endpoint extends SignedEndpoint>(signature: Endpoint, path: `/${string}`) {
  return {
    method: 'POST',
    path,
    summary: `Receive events from the ${signature} provider: ${acceptedTypes[signature].join(', ')}`,
    auth: { signature },
    query: t.Object(signature === 'voice' ? { team, wait } : { team }, { additionalProperties: false }),
    body: Envelope,
    output: Receipt,
    protocol: 'Standard Webhooks',
  } as const
}

export const endpoints = defineEndpoints({
  receivePayment: received('payment', '/api/webhooks/payment'),
  receiveVoice: received('voice', '/api/voice/engage/webhook'),
  receiveEmail: received('email', '/api/email/webhook'),
  receiveRealtime: received('realtime', '/api/realtime/webhook'),
  listInbox: {
    method: 'GET',
    path: '/api/webhooks/inbox',
    summary: 'List events received from providers, newest first',
    auth: { scope: 'webhooks:read' },
    query: ListInbox,
    output: listOf(InboundEvent),
  },
  readInboxEvent: {
    method: 'GET',
    path: '/api/webhooks/inbox/:id',
    summary: 'Read an event with its raw body and effects',
    auth: { scope: 'webhooks:read' },
    params: ById,
    output: InboundEventInFull,
  },
  replayInboxEvent: {
    method: 'POST',
    path: '/api/webhooks/inbox/:id/replay',
    summary: 'Replay an event; effects already applied are not repeated',
    auth: { role: 'ADMIN' },
    params: ById,
    output: InboundEvent,
  },
  replayInbox: {
    method: 'POST',
    path: '/api/webhooks/inbox/replay',
    summary: 'Replay all matching events from a period',
    auth: { role: 'ADMIN' },
    body: ReplayWindow,
    output: t.Object({
      count: t.Integer({ description: 'Number of matching events; they are replayed one by one' }),
    }),
  },
})

export const InboundData = t.Object({
  endpoint: oneOf(signedEndpoints),
  eventId: t.String(),
  data: t.Record(t.String(), t.Unknown()),
})

/**
 * Every event of a provider is one of ours too: `webhook:call_ended`. Reactions and workflows listen to it. What it brings
 * is in the inbox, and nowhere else (bodies.ts).
 */
export const inboundEvents = Object.fromEntries(
  Object.values(acceptedTypes)
    .flat()
    .map(type => [
      type,
      defineEvent(`webhook:${type}`, InboundData, {
        live: 'webhooks:read',
        bare: true,
        logged: ({ endpoint, eventId }) => ({ endpoint, eventId }),
      }),
    ]),
) as Record<InboundType, EventType<string, typeof InboundData>>

export const inboxReplayed = defineEvent('webhook_inbox.replayed', t.Object({ count: t.Integer() }))
/** It named no record of any team, until the operator said that it is this one's. */
export const inboundAssigned = defineEvent('webhook_inbox.assigned', t.Object({ type: t.String() }))
