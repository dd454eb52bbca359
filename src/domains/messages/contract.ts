import {
  anyOf,
  ById,
  defineEndpoints,
  Email,
  Id,
  Instant,
  listOf,
  nullable,
  oneOf,
  paging,
  t,
  Text,
  WebAddress,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { Rendered, PreviewRequest } from '#domains/templates/contract.ts'
import { messageChannels, messageOutcomes, messageSources, messageStatuses } from './values.ts'

const scope = { scope: 'outreach:write' } as const

/** A mail or text message to a lead, from before it is sent until the last that is heard of it. */
export const Message = t.Object(
  {
    id: Id,
    channel: oneOf(messageChannels),
    lead_id: Id,
    address: t.String(),
    subject: nullable(t.String()),
    status: oneOf(messageStatuses),
    reason: nullable(t.String({ description: 'Why it failed or was cancelled' })),
    tries: t.Integer(),
    segments: nullable(t.Integer({ description: 'Number of SMS segments' })),
    message_id: nullable(t.String()),
    provider_id: nullable(t.String()),
    source_kind: oneOf(messageSources),
    source_id: nullable(Id),
    source_name: nullable(t.String({ description: 'Name of the sequence or workflow at the time' })),
    enrolment_id: nullable(Id),
    version: nullable(t.Integer()),
    step_index: nullable(t.Integer()),
    due_at: Instant,
    created_at: Instant,
    accepted_at: nullable(
      t.String({ format: 'date-time', description: 'When WhatsApp took it; sent_at is when it was sent' }),
    ),
    sent_at: nullable(Instant),
    delivered_at: nullable(Instant),
    opened_at: nullable(Instant),
    machine_opened_at: nullable(Instant),
    clicked_at: nullable(Instant),
    replied_at: nullable(Instant),
    bounced_at: nullable(Instant),
    bounce: nullable(t.Object({ permanent: t.Boolean(), reason: t.String() })),
    complained_at: nullable(Instant),
    unsubscribed_at: nullable(Instant),
  },
  { $id: 'Message' },
)
export type Message = Static<typeof Message>

/** With what its reader sees. */
export const MessageContent = t.Object({
  ...Message.properties,
  text: t.String(),
  html: nullable(t.String({ description: 'As sent, without tracking' })),
  from: t.String(),
  reply_to: nullable(t.String()),
})
export type MessageContent = Static<typeof MessageContent>

const ListMessages = t.Object(
  {
    ...paging,
    channel: anyOf(oneOf(messageChannels)),
    status: anyOf(oneOf(messageStatuses)),
    outcome: anyOf(oneOf(messageOutcomes)),
    lead_id: anyOf(Id),
    source_id: anyOf(Id),
    enrolment_id: anyOf(Id),
    step_index: t.Optional(t.Integer({ minimum: 0 })),
    q: t.Optional(t.String({ maxLength: 254, description: 'Start of an email address or phone number' })),
  },
  { additionalProperties: false },
)
export type ListMessages = Static<typeof ListMessages>

const TimeOfDay = t.String({
  pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$',
  description: 'A time of day, like 08:30',
})

const senderFields = {
  from_name: nullable(Text),
  reply_to: nullable(Email),
  signature: nullable(t.String({ maxLength: 5_000, description: 'Markdown; added to every template email' })),
  postal_address: nullable(t.String({ maxLength: 500, description: 'Shown in the footer of every email' })),
  meeting_url: nullable(WebAddress),
  sms_quiet_from: nullable(TimeOfDay),
  sms_quiet_until: nullable(TimeOfDay),
}

export const OutreachSettings = t.Object({
  ...senderFields,
  paused_at: nullable(Instant),
  updated_at: Instant,
  from: t.String({ description: 'Sender address, configured by the operator' }),
  mail: oneOf(['outbox', 'smtp'], 'How emails are sent; outbox means they are not delivered'),
  sms: oneOf(['outbox', 'twilio']),
  whatsapp: oneOf(['outbox', 'cloud']),
  replies: oneOf(['imap', 'none'], 'Mailbox where replies are read'),
  writer: oneOf(['rules', 'openai']),
})
export type OutreachSettings = Static<typeof OutreachSettings>
const OutreachSettingsChange = t.Partial(t.Object(senderFields), {
  additionalProperties: false,
  minProperties: 1,
})
export type OutreachSettingsChange = Static<typeof OutreachSettingsChange>

/** Validated where it is used: its format is not public. */
const Token = t.Object({ token: t.String() })

export const endpoints = defineEndpoints({
  listMessages: {
    method: 'GET',
    path: '/api/outreach/messages',
    summary: 'List emails and text messages to leads, newest first',
    auth: scope,
    query: ListMessages,
    output: listOf(Message),
  },
  readMessage: {
    method: 'GET',
    path: '/api/outreach/messages/:id',
    summary: 'Read a message as its recipient sees it',
    auth: scope,
    params: ById,
    output: MessageContent,
  },
  retryMessage: {
    method: 'POST',
    path: '/api/outreach/messages/:id/retry',
    summary: 'Resend a message that failed or has an unknown outcome',
    auth: scope,
    params: ById,
    output: Message,
    status: 200,
  },
  cancelMessage: {
    method: 'POST',
    path: '/api/outreach/messages/:id/cancel',
    summary: 'Cancel a message that has not been sent yet',
    auth: scope,
    params: ById,
    output: Message,
    status: 200,
  },
  previewTemplate: {
    method: 'POST',
    path: '/api/outreach/templates/preview',
    summary: 'Preview a subject and body for a lead; sends and saves nothing',
    auth: scope,
    body: PreviewRequest,
    output: Rendered,
    status: 200,
  },
  readOutreachSettings: {
    method: 'GET',
    path: '/api/outreach/settings',
    summary: 'Read outreach settings',
    auth: scope,
    output: OutreachSettings,
    etag: true,
  },
  changeOutreachSettings: {
    method: 'PATCH',
    path: '/api/outreach/settings',
    summary: 'Update outreach settings',
    auth: { role: 'ADMIN' },
    body: OutreachSettingsChange,
    output: OutreachSettings,
    etag: true,
  },
  pauseOutreach: {
    method: 'POST',
    path: '/api/outreach/pause',
    summary: 'Pause all outreach of the team immediately',
    auth: scope,
    output: OutreachSettings,
    status: 200,
  },
  resumeOutreach: {
    method: 'POST',
    path: '/api/outreach/resume',
    summary: 'Resume outreach',
    auth: scope,
    output: OutreachSettings,
    status: 200,
  },
  trackOpen: {
    method: 'GET',
    path: '/t/o/:token',
    crowd: true,
    summary: 'Open-tracking pixel',
    auth: 'open',
    params: Token,
    media: 'image/gif',
    hidden: true,
  },
  trackClick: {
    method: 'GET',
    path: '/t/c/:token',
    crowd: true,
    summary: 'Tracked link in an email',
    auth: 'open',
    params: Token,
    media: 'text/html',
    hidden: true,
  },
  showUnsubscribe: {
    method: 'GET',
    path: '/u/:token',
    summary: 'Unsubscribe page; opening it changes nothing',
    auth: 'open',
    params: Token,
    media: 'text/html',
    hidden: true,
  },
  unsubscribe: {
    method: 'POST',
    path: '/u/:token',
    summary: 'Unsubscribe, from the page or with one click in an email client (RFC 8058)',
    auth: 'open',
    crowd: true,
    params: Token,
    form: true,
    multipart: true,
    media: 'text/html',
    hidden: true,
  },
  smsWebhook: {
    method: 'POST',
    path: '/api/sms/twilio',
    summary: 'SMS provider webhook: replies, STOP and START, and delivery status',
    auth: 'open',
    crowd: true,
    form: true,
    media: 'text/xml',
    protocol: 'Twilio webhooks',
  },
  verifyWhatsApp: {
    method: 'GET',
    path: '/api/webhooks/whatsapp',
    summary: 'WhatsApp webhook verification: answers the challenge to the caller that knows the verify token',
    auth: 'open',
    query: t.Object(
      {
        'hub.mode': t.Optional(t.String({ maxLength: 100 })),
        'hub.challenge': t.Optional(t.String({ maxLength: 500 })),
        'hub.verify_token': t.Optional(t.String({ maxLength: 500 })),
      },
      { additionalProperties: false },
    ),
    media: 'text/plain',
    protocol: 'WhatsApp Cloud API webhooks',
  },
  receiveWhatsApp: {
    method: 'POST',
    path: '/api/webhooks/whatsapp',
    summary: 'WhatsApp webhook: messages, and what became of ours; signed with the app secret',
    auth: 'open',
    crowd: true,
    signedBody: { bytesMax: 4 * 1024 * 1024 },
    body: t.Object({ object: t.Optional(t.String()), entry: t.Optional(t.Array(t.Unknown())) }),
    media: 'text/plain',
    protocol: 'WhatsApp Cloud API webhooks',
  },
})

const Told = t.Object({
  message_id: Id,
  subject: t.Optional(nullable(t.String())),
  source_kind: t.Optional(oneOf(messageSources)),
  source_id: t.Optional(nullable(Id)),
  enrolment_id: t.Optional(nullable(Id)),
  step_index: t.Optional(nullable(t.Integer())),
})
/** `answer_id`: the Message-ID of an email, or what the provider calls a text message. */
const answer = { text: t.Optional(t.String()), answer_id: t.Optional(nullable(t.String())) }
const live = { live: 'leads:read' } as const
const about = <Extra extends Record<string, ReturnType<typeof t.Optional>>>(extra: Extra) =>
  t.Object({ ...Told.properties, ...extra })

/** These appear on the lead's timeline, and trigger automations. */
export const messageEvents = {
  emailSent: defineEvent('email.sent', Told, live),
  smsSent: defineEvent('sms.sent', Told, live),
  whatsappSent: defineEvent('whatsapp.sent', Told, live),
  delivered: defineEvent('email.delivered', Told, live),
  smsDelivered: defineEvent('sms.delivered', Told, live),
  whatsappDelivered: defineEvent('whatsapp.delivered', Told, live),
  whatsappRead: defineEvent('whatsapp.read', Told, live),
  opened: defineEvent('email.opened', about({ machine: t.Optional(t.Boolean()) }), live),
  clicked: defineEvent(
    'email.clicked',
    about({
      url: t.Optional(t.String()),
      meeting: t.Optional(t.Boolean()),
      machine: t.Optional(t.Boolean()),
    }),
    live,
  ),
  replied: defineEvent('email.replied', about(answer), live),
  smsReplied: defineEvent('sms.replied', about(answer), live),
  whatsappReplied: defineEvent('whatsapp.replied', about(answer), live),
  bounced: defineEvent(
    'email.bounced',
    about({ permanent: t.Optional(t.Boolean()), reason: t.Optional(t.String()) }),
    live,
  ),
  smsBounced: defineEvent(
    'sms.bounced',
    about({ permanent: t.Optional(t.Boolean()), reason: t.Optional(t.String()) }),
    live,
  ),
  /** An out-of-office or another machine's answer: it is worth knowing, and changes nothing. */
  autoReplied: defineEvent('email.auto_replied', about(answer), live),
  complained: defineEvent('email.complained', Told, live),
  unsubscribed: defineEvent('email.unsubscribed', Told, live),
  /** STOP, sent to us by text message. */
  smsUnsubscribed: defineEvent('sms.unsubscribed', Told, live),
  /** The same by WhatsApp. */
  whatsappUnsubscribed: defineEvent('whatsapp.unsubscribed', Told, live),
  /** A message with an unknown outcome turned out to have been sent: its author can continue. */
  found: defineEvent('message.found', Told, live),
  cancelled: defineEvent('message.cancelled', Told, live),
  retried: defineEvent('message.retried', Told, live),
  failed: defineEvent('message.failed', about({ reason: t.Optional(t.String()) }), live),
}

const Fields = t.Record(t.String(), t.Unknown())
export const outreachSettingsChanged = defineEvent(
  'outreach_settings.changed',
  t.Object({ before: Fields, after: Fields }),
  { live: 'outreach:write' },
)
