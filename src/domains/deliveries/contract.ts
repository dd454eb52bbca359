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
import { defineEvent } from '#platform/events.ts'
import { deliveryStatuses, endpointStatuses, ownerKinds } from './values.ts'

/** An address that is told of events. It belongs to a record, whose settings say where it is. */
export const WebhookEndpoint = t.Object(
  {
    id: Id,
    owner: t.Object({ kind: oneOf(ownerKinds), id: Id }),
    name: t.String({ description: 'What the record is called that it belongs to' }),
    url: t.String(),
    status: oneOf(endpointStatuses, 'DISABLED after five days without one success'),
    failures: t.Integer({ description: 'Failed attempts since the last success' }),
    failing_since: nullable(Instant),
    paused_until: nullable(Instant),
    last_success_at: nullable(Instant),
    last_failure_at: nullable(Instant),
    disabled_at: nullable(Instant),
    created_at: Instant,
    updated_at: Instant,
  },
  { $id: 'WebhookEndpoint' },
)
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

export const Attempt = t.Object(
  {
    id: Id,
    at: Instant,
    duration_ms: t.Integer(),
    url: t.String(),
    response_status: nullable(t.Integer()),
    response_body: nullable(t.String({ description: 'Its beginning, at most 64 KiB' })),
    error: nullable(t.String({ description: 'Why there was no answer' })),
  },
  { $id: 'WebhookAttempt' },
)
export type Attempt = Static<typeof Attempt>

const delivery = {
  id: Id,
  endpoint_id: Id,
  event_id: t.String({ description: 'The eventId in the body; the webhook-id of every attempt' }),
  type: t.String(),
  status: oneOf(deliveryStatuses),
  attempts: t.Integer(),
  next_at: nullable(Instant),
  last_status: nullable(t.Integer()),
  last_error: nullable(t.String()),
  created_at: Instant,
  delivered_at: nullable(Instant),
}
export const Delivery = t.Object(delivery, { $id: 'WebhookDelivery' })
export type Delivery = Static<typeof Delivery>

export const DeliveryWithAttempts = t.Object({
  ...delivery,
  body: t.String({ description: 'What is sent, the same at every attempt; the webhook-timestamp is new' }),
  log: t.Array(Attempt, { description: 'Newest first, the last 100' }),
})
export type DeliveryWithAttempts = Static<typeof DeliveryWithAttempts>

/** What came of a test: nothing of it is kept. */
export const TestAnswer = t.Object({
  delivered: t.Boolean({ description: 'Whether the answer was 2xx' }),
  duration_ms: t.Integer(),
  response_status: nullable(t.Integer()),
  response_body: nullable(t.String()),
  error: nullable(t.String()),
})
export type TestAnswer = Static<typeof TestAnswer>

const Secret = t.Object({
  secret: t.String({ description: 'whsec_…, as the receiver verifies with it' }),
  previous_until: nullable(
    t.String({ format: 'date-time', description: 'Until when the one before signs too' }),
  ),
})

export const ListDeliveries = t.Object(
  {
    ...paging,
    endpoint_id: anyOf(Id),
    status: anyOf(oneOf(deliveryStatuses)),
    from: t.Optional(Instant),
    until: t.Optional(Instant),
  },
  { additionalProperties: false },
)
export type ListDeliveries = Static<typeof ListDeliveries>

export const FailedWindow = t.Object(
  { endpoint_id: t.Optional(Id), from: Instant, until: Instant },
  { additionalProperties: false },
)
export type FailedWindow = Static<typeof FailedWindow>

export const endpoints = defineEndpoints({
  listWebhookEndpoints: {
    method: 'GET',
    path: '/api/webhooks/endpoints',
    summary: 'The addresses that are told of events, and how they are doing',
    auth: { scope: 'webhooks:read' },
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(WebhookEndpoint),
  },
  readWebhookEndpoint: {
    method: 'GET',
    path: '/api/webhooks/endpoints/:id',
    summary: 'One of these addresses',
    auth: { scope: 'webhooks:read' },
    params: ById,
    output: WebhookEndpoint,
  },
  enableWebhookEndpoint: {
    method: 'POST',
    path: '/api/webhooks/endpoints/:id/enable',
    summary: 'Use an address again that was given up, or that is being left in peace for a while',
    auth: { role: 'ADMIN' },
    params: ById,
    output: WebhookEndpoint,
  },
  readWebhookSecret: {
    method: 'GET',
    path: '/api/webhooks/endpoints/:id/secret',
    summary: 'With what the receiver verifies our signature',
    auth: { role: 'ADMIN' },
    params: ById,
    output: Secret,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/api/webhooks/endpoints/:id/secret',
    summary: 'A new secret; for a day everything is signed with the old one as well',
    auth: { role: 'ADMIN' },
    params: ById,
    output: Secret,
  },
  testWebhookEndpoint: {
    method: 'POST',
    path: '/api/webhooks/endpoints/:id/test',
    summary: 'Send a signed webhook.test there now, and see the answer',
    auth: { role: 'MEMBER' },
    params: ById,
    output: TestAnswer,
  },
  listDeliveries: {
    method: 'GET',
    path: '/api/webhooks/deliveries',
    summary: 'What was sent, is being sent, or could not be sent, newest first',
    auth: { scope: 'webhooks:read' },
    query: ListDeliveries,
    output: listOf(Delivery),
  },
  readDelivery: {
    method: 'GET',
    path: '/api/webhooks/deliveries/:id',
    summary: 'One delivery with its body and every attempt',
    auth: { scope: 'webhooks:read' },
    params: ById,
    output: DeliveryWithAttempts,
  },
  replayDelivery: {
    method: 'POST',
    path: '/api/webhooks/deliveries/:id/replay',
    summary: 'Send it again, under the same webhook-id',
    auth: { role: 'MEMBER' },
    params: ById,
    output: Delivery,
  },
  replayFailedDeliveries: {
    method: 'POST',
    path: '/api/webhooks/deliveries/replay',
    summary: 'Send again what failed in a time',
    auth: { role: 'MEMBER' },
    body: FailedWindow,
    output: t.Object({ count: t.Integer({ description: 'How many are sent again' }) }),
  },
})

const live = { live: 'webhooks:read' } as const
const Told = t.Object({ name: t.String(), url: t.String() })
export const endpointDisabled = defineEvent('webhook_endpoint.disabled', Told, live)
export const endpointEnabled = defineEvent('webhook_endpoint.enabled', Told, live)
export const endpointChanged = defineEvent(
  'webhook_endpoint.changed',
  t.Object({ before: t.Unknown(), after: t.Unknown() }),
  live,
)
export const secretRotated = defineEvent('webhook_endpoint.secret_rotated', Told, live)
export const secretRead = defineEvent('webhook_endpoint.secret_read', Told)
export const deliveryReplayed = defineEvent(
  'webhook_delivery.replayed',
  t.Object({ count: t.Integer() }),
  live,
)
/**
 * All its tries are used up, the receiver said 410, or its address was given up: a person decides. What else was still to
 * go to an address when it was given up or removed has failed with it, and is not told of one by one.
 */
export const deliveryFailed = defineEvent(
  'webhook_delivery.failed',
  t.Object({ name: t.String(), reason: t.String() }),
  live,
)
