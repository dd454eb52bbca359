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

/** A URL that receives events. It belongs to a record, whose settings contain the URL. */
export const WebhookEndpoint = t.Object(
  {
    id: Id,
    owner: t.Object({ kind: oneOf(ownerKinds), id: Id }),
    name: t.String({ description: 'Name of the record it belongs to' }),
    url: t.String(),
    status: oneOf(endpointStatuses, 'DISABLED after five days without a successful delivery'),
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
    response_body: nullable(t.String({ description: 'Start of the response body, at most 64 KiB' })),
    error: nullable(t.String({ description: 'Why there was no response' })),
  },
  { $id: 'WebhookAttempt' },
)
export type Attempt = Static<typeof Attempt>

const delivery = {
  id: Id,
  endpoint_id: Id,
  event_id: t.String({ description: 'The eventId in the body and the webhook-id of every attempt' }),
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
  body: t.String({
    description: 'Request body, the same for every attempt; only the webhook-timestamp changes',
  }),
  log: t.Array(Attempt, { description: 'The last 100, newest first' }),
})
export type DeliveryWithAttempts = Static<typeof DeliveryWithAttempts>

/** What came of a test: nothing of it is kept. */
export const TestAnswer = t.Object({
  delivered: t.Boolean({ description: 'Whether the response was 2xx' }),
  duration_ms: t.Integer(),
  response_status: nullable(t.Integer()),
  response_body: nullable(t.String()),
  error: nullable(t.String()),
})
export type TestAnswer = Static<typeof TestAnswer>

const Secret = t.Object({
  secret: t.String({ description: 'whsec_…, used by the receiver to verify signatures' }),
  previous_until: nullable(
    t.String({ format: 'date-time', description: 'Until when the previous secret also signs' }),
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
    summary: 'List webhook endpoints and their health',
    auth: { scope: 'webhooks:read' },
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(WebhookEndpoint),
  },
  readWebhookEndpoint: {
    method: 'GET',
    path: '/api/webhooks/endpoints/:id',
    summary: 'Read a webhook endpoint',
    auth: { scope: 'webhooks:read' },
    params: ById,
    output: WebhookEndpoint,
  },
  enableWebhookEndpoint: {
    method: 'POST',
    path: '/api/webhooks/endpoints/:id/enable',
    summary: 'Re-enable an endpoint that was disabled or is backing off',
    auth: { role: 'ADMIN' },
    params: ById,
    output: WebhookEndpoint,
  },
  readWebhookSecret: {
    method: 'GET',
    path: '/api/webhooks/endpoints/:id/secret',
    summary: 'Read the signing secret of an endpoint',
    auth: { role: 'ADMIN' },
    params: ById,
    output: Secret,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/api/webhooks/endpoints/:id/secret',
    summary: 'Rotate the signing secret; the old one also signs for another day',
    auth: { role: 'ADMIN' },
    params: ById,
    output: Secret,
  },
  testWebhookEndpoint: {
    method: 'POST',
    path: '/api/webhooks/endpoints/:id/test',
    summary: 'Send a signed webhook.test event now and return the response',
    auth: { role: 'MEMBER' },
    params: ById,
    output: TestAnswer,
  },
  listDeliveries: {
    method: 'GET',
    path: '/api/webhooks/deliveries',
    summary: 'List deliveries, newest first',
    auth: { scope: 'webhooks:read' },
    query: ListDeliveries,
    output: listOf(Delivery),
  },
  readDelivery: {
    method: 'GET',
    path: '/api/webhooks/deliveries/:id',
    summary: 'Read a delivery with its body and every attempt',
    auth: { scope: 'webhooks:read' },
    params: ById,
    output: DeliveryWithAttempts,
  },
  replayDelivery: {
    method: 'POST',
    path: '/api/webhooks/deliveries/:id/replay',
    summary: 'Resend a delivery with the same webhook-id',
    auth: { role: 'MEMBER' },
    params: ById,
    output: Delivery,
  },
  replayFailedDeliveries: {
    method: 'POST',
    path: '/api/webhooks/deliveries/replay',
    summary: 'Resend failed deliveries from a period',
    auth: { role: 'MEMBER' },
    body: FailedWindow,
    output: t.Object({ count: t.Integer({ description: 'Number of deliveries to resend' }) }),
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
 * All attempts are used up, the receiver returned 410, or its endpoint was disabled: a person decides. Other
 * deliveries pending when an endpoint is disabled or removed fail with it, without separate events.
 */
export const deliveryFailed = defineEvent(
  'webhook_delivery.failed',
  t.Object({ name: t.String(), reason: t.String() }),
  live,
)
