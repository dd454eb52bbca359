import { Email, Id, Instant, nullable, oneOf, Phone, t, type Static } from '#platform/contract.ts'
import { FILES_OF_MESSAGE_MAX } from '#domains/files/values.ts'
import { TemplateChoice } from './whatsapp-contract.ts'
import {
  conversationChannels,
  conversationHolds,
  COPIES_MAX,
  firstChannels,
  HTML_LENGTH_MAX,
  MENTIONS_MAX,
  REPLY_LENGTH_MAX,
  sendingRefusals,
  SUBJECT_LENGTH_MAX,
} from './values.ts'

const ReplyText = t.String({
  minLength: 1,
  maxLength: REPLY_LENGTH_MAX,
  pattern: '^[^\\u0000]*$',
  description: 'Required, unless there is a `template`',
})
const Subject = t.String({
  minLength: 1,
  maxLength: SUBJECT_LENGTH_MAX,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
})

const sending = {
  template: t.Optional(TemplateChoice),
  mailbox_id: t.Optional(
    t.Union([Id, t.Null()], { description: 'From which mailbox; null for that of the installation' }),
  ),
  cc: t.Optional(t.Array(Email, { maxItems: COPIES_MAX, uniqueItems: true })),
  bcc: t.Optional(t.Array(Email, { maxItems: COPIES_MAX, uniqueItems: true })),
  file_ids: t.Optional(t.Array(Id, { maxItems: FILES_OF_MESSAGE_MAX, uniqueItems: true })),
  html: t.Optional(
    t.String({
      minLength: 1,
      maxLength: HTML_LENGTH_MAX,
      pattern: '^[^\\u0000]*$',
      description: 'The same as `text` as HTML, as it is to be sent; placeholders are not filled in',
    }),
  ),
  send_at: t.Optional(Instant),
  send_anyway: t.Optional(
    t.Boolean({ description: 'Send in quiet hours as well; only an ADMIN may ask for it' }),
  ),
}

export const NewConversation = t.Object(
  {
    channel: oneOf(firstChannels),
    lead_id: t.Optional(Id),
    to: t.Optional(t.Union([Email, Phone], { description: 'An address that belongs to no lead yet' })),
    subject: t.Optional(Subject),
    text: t.Optional(ReplyText),
    ...sending,
  },
  { additionalProperties: false },
)
export type NewConversation = Static<typeof NewConversation>

export const NewEntry = t.Object(
  {
    kind: oneOf(['reply', 'forward', 'note']),
    to: t.Optional(Email),
    message_id: t.Optional(
      t.String({ pattern: '^[0-9a-f]{24}$', description: 'Of a forward: the email that is passed on' }),
    ),
    channel: t.Optional(oneOf(conversationChannels, 'By default that of the last message')),
    subject: t.Optional(Subject),
    text: t.Optional(ReplyText),
    mentions: t.Optional(t.Array(Id, { maxItems: MENTIONS_MAX, uniqueItems: true })),
    ...sending,
  },
  { additionalProperties: false },
)
export type NewEntry = Static<typeof NewEntry>

/** What would come of a message that is sent now. */
export const SendingCheck = t.Object({
  channel: oneOf(conversationChannels),
  to: nullable(t.String()),
  held_until: nullable(Instant),
  hold_reason: nullable(oneOf(conversationHolds)),
  window_closes_at: nullable(
    t.String({ format: 'date-time', description: 'By WhatsApp: until when free text may be sent' }),
  ),
  refusal: nullable(oneOf(sendingRefusals)),
  detail: nullable(t.String({ description: 'The hold or refusal in plain words' })),
})
export type SendingCheck = Static<typeof SendingCheck>

/** `none` is the mailbox of the installation. */
export const AskedMailbox = t.String({
  pattern: '^(?:[0-9a-f]{24}|none)$',
  description: 'The mailbox it would be sent from, or none; by default as for a reply',
})

/** Whom the message is for: a lead or an address. */
export const CheckFirst = t.Object(
  {
    lead_id: t.Optional(Id),
    to: t.Optional(t.Union([Email, Phone])),
    channel: t.Optional(oneOf(firstChannels, 'By default that of the address')),
    mailbox_id: t.Optional(AskedMailbox),
  },
  { additionalProperties: false },
)
export type CheckFirst = Static<typeof CheckFirst>

export const ReplyDraft = t.Object({
  text: nullable(t.String()),
  reason: nullable(t.String({ description: 'Why there is none' })),
  model: nullable(t.String({ description: 'What wrote it; rules-1 is the embedded writer' })),
  sources: t.Array(t.Object({ kind: t.Literal('saved_reply'), id: Id, name: t.String() })),
  fell_back: nullable(t.String({ description: 'Why the model did not write it' })),
})
export type ReplyDraft = Static<typeof ReplyDraft>
