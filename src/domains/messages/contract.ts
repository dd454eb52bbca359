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
import { Rendered, WantedPreview } from '#domains/templates/contract.ts'
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
    reason: nullable(t.String({ description: 'Why it failed, or was given up' })),
    tries: t.Integer(),
    segments: nullable(t.Integer({ description: 'How many text messages it counts as' })),
    message_id: nullable(t.String()),
    provider_id: nullable(t.String()),
    source_kind: oneOf(messageSources),
    source_id: nullable(Id),
    source_name: nullable(t.String({ description: 'What the sequence or workflow was called then' })),
    enrolment_id: nullable(Id),
    version: nullable(t.Integer()),
    step_index: nullable(t.Integer()),
    due_at: Instant,
    created_at: Instant,
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
  html: nullable(t.String({ description: 'As it was sent, without what counts its readers' })),
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
    q: t.Optional(t.String({ maxLength: 254, description: 'The beginning of an address or number' })),
  },
  { additionalProperties: false },
)
export type ListMessages = Static<typeof ListMessages>

const TimeOfDay = t.String({ pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$', description: 'Like 08:30' })

const senderFields = {
  from_name: nullable(Text),
  reply_to: nullable(Email),
  signature: nullable(
    t.String({ maxLength: 5_000, description: 'Markdown; follows every mail of a template' }),
  ),
  postal_address: nullable(t.String({ maxLength: 500, description: 'Stands in the foot of every mail' })),
  meeting_url: nullable(WebAddress),
  sms_quiet_from: nullable(TimeOfDay),
  sms_quiet_until: nullable(TimeOfDay),
}

export const OutreachSettings = t.Object({
  ...senderFields,
  paused_at: nullable(Instant),
  updated_at: Instant,
  from: t.String({ description: 'The address mails come from; the operator configures it' }),
  mail: oneOf(['outbox', 'smtp'], 'Where mails go: outbox means that nobody receives them'),
  sms: oneOf(['outbox', 'twilio']),
  replies: oneOf(['imap', 'none'], 'Where replies are read'),
  writer: oneOf(['rules', 'openai']),
})
export type OutreachSettings = Static<typeof OutreachSettings>
const OutreachSettingsChange = t.Partial(t.Object(senderFields), {
  additionalProperties: false,
  minProperties: 1,
})
export type OutreachSettingsChange = Static<typeof OutreachSettingsChange>

/** Judged by whoever takes it: what it looks like is nobody's business. */
const Token = t.Object({ token: t.String() })

export const endpoints = defineEndpoints({
  listMessages: {
    method: 'GET',
    path: '/api/outreach/messages',
    summary: 'Mails and text messages to leads, newest first',
    auth: scope,
    query: ListMessages,
    output: listOf(Message),
  },
  readMessage: {
    method: 'GET',
    path: '/api/outreach/messages/:id',
    summary: 'A message as its reader sees it',
    auth: scope,
    params: ById,
    output: MessageContent,
  },
  retryMessage: {
    method: 'POST',
    path: '/api/outreach/messages/:id/retry',
    summary: 'Send a message again that failed, or of which nobody knows whether it was sent',
    auth: scope,
    params: ById,
    output: Message,
    status: 200,
  },
  cancelMessage: {
    method: 'POST',
    path: '/api/outreach/messages/:id/cancel',
    summary: 'Give up a message that is not sent yet',
    auth: scope,
    params: ById,
    output: Message,
    status: 200,
  },
  previewTemplate: {
    method: 'POST',
    path: '/api/outreach/templates/preview',
    summary: 'A subject and a body as a lead would get them; nothing is sent or kept',
    auth: scope,
    body: WantedPreview,
    output: Rendered,
    status: 200,
  },
  readOutreachSettings: {
    method: 'GET',
    path: '/api/outreach/settings',
    summary: 'Who writes, how, and whether anything goes out at all',
    auth: scope,
    output: OutreachSettings,
    etag: true,
  },
  changeOutreachSettings: {
    method: 'PATCH',
    path: '/api/outreach/settings',
    summary: 'Change who writes and how',
    auth: { role: 'ADMIN' },
    body: OutreachSettingsChange,
    output: OutreachSettings,
    etag: true,
  },
  pauseOutreach: {
    method: 'POST',
    path: '/api/outreach/pause',
    summary: 'Hold everything the team would send, at once',
    auth: scope,
    output: OutreachSettings,
    status: 200,
  },
  resumeOutreach: {
    method: 'POST',
    path: '/api/outreach/resume',
    summary: 'Let outreach go on',
    auth: scope,
    output: OutreachSettings,
    status: 200,
  },
  trackOpen: {
    method: 'GET',
    path: '/t/o/:token',
    crowd: true,
    summary: 'The picture in a mail that tells it was opened',
    auth: 'open',
    params: Token,
    media: 'image/gif',
    hidden: true,
  },
  trackClick: {
    method: 'GET',
    path: '/t/c/:token',
    crowd: true,
    summary: 'A link in a mail',
    auth: 'open',
    params: Token,
    media: 'text/html',
    hidden: true,
  },
  showUnsubscribe: {
    method: 'GET',
    path: '/u/:token',
    summary: 'The page that asks whether to unsubscribe; looking at it does nothing',
    auth: 'open',
    params: Token,
    media: 'text/html',
    hidden: true,
  },
  unsubscribe: {
    method: 'POST',
    path: '/u/:token',
    summary: 'Unsubscribe, from the page or with one click in a mail program (RFC 8058)',
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
    summary: 'What the SMS provider tells: answers, STOP and START, and what became of a message',
    auth: 'open',
    crowd: true,
    form: true,
    media: 'text/xml',
    protocol: 'Twilio webhooks',
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
const live = { live: 'leads:read' } as const
const about = <Extra extends Record<string, ReturnType<typeof t.Optional>>>(extra: Extra) =>
  t.Object({ ...Told.properties, ...extra })

/** They stand on the timeline of the lead, and automations take them up. */
export const messageEvents = {
  emailSent: defineEvent('email.sent', Told, live),
  smsSent: defineEvent('sms.sent', Told, live),
  delivered: defineEvent('email.delivered', Told, live),
  smsDelivered: defineEvent('sms.delivered', Told, live),
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
  replied: defineEvent('email.replied', about({ text: t.Optional(t.String()) }), live),
  smsReplied: defineEvent('sms.replied', about({ text: t.Optional(t.String()) }), live),
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
  autoReplied: defineEvent('email.auto_replied', about({ text: t.Optional(t.String()) }), live),
  complained: defineEvent('email.complained', Told, live),
  unsubscribed: defineEvent('email.unsubscribed', Told, live),
  /** STOP, sent to us by text message. */
  smsUnsubscribed: defineEvent('sms.unsubscribed', Told, live),
  /** One of which nobody knew turned out to have been sent: whoever wrote it can go on. */
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
