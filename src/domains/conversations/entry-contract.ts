import { Id, Instant, nullable, oneOf, t, type Static } from '#platform/contract.ts'
import { callDirections, callStates } from '#domains/calls/values.ts'
import { messageStatuses } from '#domains/messages/values.ts'
import { conversationChannels, conversationHolds } from './values.ts'

const EmailParty = t.Object({ address: t.String(), name: nullable(t.String()) })

const AttachedFile = t.Object({
  id: Id,
  name: t.String(),
  type: t.String(),
  size: t.Integer(),
  inline: t.Boolean({ description: 'Shown within the original, like a logo' }),
})
export type AttachedFile = Static<typeof AttachedFile>

const entryKinds = ['message', 'note', 'call'] as const

/** A message in either direction, a note of the team, or a call. */
export const ConversationEntry = t.Object(
  {
    id: Id,
    kind: oneOf(entryKinds),
    direction: nullable(oneOf(['in', 'out'])),
    channel: nullable(oneOf(conversationChannels)),
    at: Instant,
    author: t.Object({
      kind: oneOf(['lead', 'person', 'sequence', 'workflow', 'agent', 'system']),
      id: nullable(Id),
      name: nullable(t.String()),
    }),
    address: nullable(
      t.String({
        description: "The counterpart's email address or phone number; `chat:` and an ID in a web chat",
      }),
    ),
    mailbox_id: nullable(Id),
    to: t.Array(EmailParty, { description: 'Of an email: who else could answer' }),
    cc: t.Array(EmailParty),
    bcc: t.Array(EmailParty, { description: 'Of an email from the team' }),
    subject: nullable(t.String()),
    text: t.String({ description: 'What was written, without what it quotes' }),
    has_original: t.Boolean({ description: 'There is more to see: formatting, or the text it quotes' }),
    hidden: t.Boolean({
      description: "It came to someone else's private mailbox: subject and text are left out",
    }),
    files: t.Array(AttachedFile),
    automatic: t.Boolean({ description: 'An out-of-office reply or another automatic answer' }),
    mentions: t.Array(Id),
    is_forward: t.Boolean({
      description: 'An email that was passed on to `address`: nobody was answered by it',
    }),
    status: nullable(oneOf(messageStatuses, 'Of a message from the team')),
    reason: nullable(t.String({ description: 'Why it failed or was cancelled' })),
    held_until: nullable(Instant),
    hold_reason: nullable(oneOf(conversationHolds)),
    accepted_at: nullable(
      t.String({
        format: 'date-time',
        description: 'While SENDING: WhatsApp took it then, and has not confirmed yet that it is sent',
      }),
    ),
    delivered_at: nullable(Instant),
    opened_at: nullable(t.String({ format: 'date-time', description: 'In a web chat, when they saw it' })),
    bounced_at: nullable(
      t.String({ format: 'date-time', description: 'When it came back; reason says why' }),
    ),
    call: nullable(
      t.Object({
        status: oneOf(callStates),
        direction: oneOf(callDirections),
        duration_sec: nullable(t.Integer()),
        outcome: nullable(t.String()),
      }),
    ),
  },
  { $id: 'ConversationEntry' },
)
export type ConversationEntry = Static<typeof ConversationEntry>

/** With the version of the conversation that has it, for the next `If-Match`. */
export const WrittenEntry = t.Object({ ...ConversationEntry.properties, updated_at: Instant })
export type WrittenEntry = Static<typeof WrittenEntry>
