import {
  ById,
  defineEndpoints,
  Id,
  Instant,
  listOf,
  nullable,
  paging,
  t,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { KEPT_MAX, READ_AT_ONCE_MAX, TEXT_LENGTH_MAX, TITLE_LENGTH_MAX } from './values.ts'

export const Notification = t.Object(
  {
    id: Id,
    title: t.String({ maxLength: TITLE_LENGTH_MAX }),
    text: nullable(t.String({ maxLength: TEXT_LENGTH_MAX })),
    link: nullable(t.String({ description: 'A path in the app, like /leads/<id>' })),
    source_kind: t.String({ description: 'Source, like workflow' }),
    source_id: nullable(Id),
    source_name: nullable(t.String()),
    created_at: Instant,
    read_at: nullable(Instant),
  },
  { $id: 'Notification' },
)
export type Notification = Static<typeof Notification>

/** A browser that is told as well. What its messages are encrypted with is told to nobody. */
export const PushSubscription = t.Object(
  { id: Id, endpoint: t.String(), created_at: Instant, seen_at: Instant },
  { $id: 'PushSubscription' },
)
export type PushSubscription = Static<typeof PushSubscription>

const ENDPOINT_LENGTH_MAX = 1_000
const Endpoint = t.String({
  maxLength: ENDPOINT_LENGTH_MAX,
  pattern: '^https://[!-~]+$',
  description: 'Push service URL, https only',
})
/** 65 bytes: a point of the curve P-256, uncompressed. */
const ReceiverKey = t.String({ pattern: '^[A-Za-z0-9_-]{87}$' })
/** 16 bytes. */
const AuthSecret = t.String({ pattern: '^[A-Za-z0-9_-]{22}$' })

export const endpoints = defineEndpoints({
  listNotifications: {
    method: 'GET',
    path: '/api/notifications',
    summary: 'List your notifications, newest first',
    auth: { role: 'VIEWER' },
    query: t.Object({ ...paging, unread: t.Optional(t.Boolean()) }, { additionalProperties: false }),
    output: listOf(Notification),
  },
  countNotifications: {
    method: 'GET',
    path: '/api/notifications/count',
    summary: 'Count your unread notifications',
    auth: { role: 'VIEWER' },
    output: t.Object({ unread: t.Integer({ minimum: 0, maximum: KEPT_MAX }) }),
  },
  readNotifications: {
    method: 'POST',
    path: '/api/notifications/read',
    summary: 'Mark the given notifications, or all, as read',
    auth: { role: 'VIEWER' },
    body: t.Object(
      {
        ids: t.Optional(t.Array(Id, { minItems: 1, maxItems: READ_AT_ONCE_MAX })),
        all: t.Optional(t.Boolean()),
      },
      { additionalProperties: false },
    ),
    output: t.Object({ unread: t.Integer({ minimum: 0, maximum: KEPT_MAX }) }),
  },
  readPush: {
    method: 'GET',
    path: '/api/notifications/push',
    summary: 'Read the push key and your subscribed browsers',
    auth: { role: 'VIEWER' },
    output: t.Object({
      public_key: t.String({ description: 'The applicationServerKey (RFC 8292)' }),
      subscriptions: t.Array(PushSubscription),
    }),
  },
  addPushSubscription: {
    method: 'POST',
    path: '/api/notifications/push',
    summary: 'Subscribe a browser, with the result of PushSubscription.toJSON()',
    auth: { role: 'VIEWER' },
    body: t.Object(
      {
        endpoint: Endpoint,
        expirationTime: t.Optional(
          nullable(t.Number({ description: 'Ignored: the push service reports expiry' })),
        ),
        keys: t.Object({ p256dh: ReceiverKey, auth: AuthSecret }, { additionalProperties: false }),
      },
      { additionalProperties: false },
    ),
    output: PushSubscription,
    status: 201,
  },
  readPushSubscription: {
    method: 'GET',
    path: '/api/notifications/push/:id',
    summary: 'Read one of your subscribed browsers',
    auth: { role: 'VIEWER' },
    params: ById,
    output: PushSubscription,
  },
  deletePushSubscription: {
    method: 'DELETE',
    path: '/api/notifications/push/:id',
    summary: 'Unsubscribe a browser',
    auth: { role: 'VIEWER' },
    params: ById,
  },
})

/** Everybody of the team hears that there is something new, and asks for what is their own: it says no more than that. */
export const notificationAdded = defineEvent(
  'notification.added',
  t.Object({ ids: t.Array(Id), user_ids: t.Array(Id), source_kind: t.String() }),
  { live: 'leads:read', bare: true },
)
/** With our key, the full URL would be enough to write to that browser: the host will do. */
const subscription = t.Object({ host: t.String() })
export const pushSubscribed = defineEvent('push_subscription.added', subscription)
export const pushUnsubscribed = defineEvent('push_subscription.removed', subscription)
