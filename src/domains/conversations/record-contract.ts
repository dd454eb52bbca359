import { Id, Instant, nullable, oneOf, t, type Static } from '#platform/contract.ts'
import {
  agentModes,
  BULK_MAX,
  conversationChannels,
  conversationStates,
  LABEL_LENGTH_MAX,
  LABELS_MAX,
} from './values.ts'

export const Label = t.String({
  minLength: 1,
  maxLength: LABEL_LENGTH_MAX,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
})
const Participant = t.Object({
  address: t.String(),
  name: nullable(t.String()),
  lead_id: nullable(Id),
})

/** Everything that was written with one counterpart: a lead, or an address that belongs to none yet. */
export const Conversation = t.Object(
  {
    id: Id,
    lead_id: nullable(Id),
    channel: oneOf(conversationChannels, 'The channel of the last message'),
    subject: nullable(t.String({ description: 'The subject of the last email' })),
    state: oneOf(conversationStates, 'OPEN: your turn; WAITING: theirs'),
    snoozed_until: nullable(Instant),
    assignee_id: nullable(Id),
    mailbox_id: nullable(
      t.String({
        description: 'The mailbox of the last email that came in; null for that of the installation',
      }),
    ),
    agent_id: nullable(t.String({ description: 'The agent that answers here' })),
    agent_mode: oneOf(
      agentModes,
      'Whether that agent drafts for a person, sends its answers, or does neither',
    ),
    labels: t.Array(t.String()),
    unread: t.Boolean({ description: 'Whether you have not read the last message that came in' }),
    last_message_at: Instant,
    last_direction: oneOf(['in', 'out']),
    last_text: t.String({ description: 'The beginning of the last message' }),
    answer_due_at: nullable(Instant),
    overdue_at: nullable(t.String({ format: 'date-time', description: 'When the answer became late' })),
    participants: t.Array(Participant),
    created_at: Instant,
    updated_at: Instant,
  },
  { $id: 'Conversation' },
)
export type Conversation = Static<typeof Conversation>

/** With the message that was just written, which can be cancelled for ten seconds. */
export const StartedConversation = t.Object({ ...Conversation.properties, message_id: Id })
export type StartedConversation = Static<typeof StartedConversation>

export const ConversationChange = t.Partial(
  t.Object({
    state: oneOf(conversationStates),
    snoozed_until: nullable(Instant),
    assignee_id: nullable(Id),
    labels: t.Array(Label, { maxItems: LABELS_MAX, uniqueItems: true }),
    lead_id: Id,
    agent_id: nullable(Id),
    agent_mode: oneOf(agentModes),
  }),
  { additionalProperties: false, minProperties: 1 },
)
export type ConversationChange = Static<typeof ConversationChange>

export const BulkChange = t.Object(
  {
    ids: t.Array(Id, { minItems: 1, maxItems: BULK_MAX, uniqueItems: true }),
    state: t.Optional(oneOf(conversationStates)),
    snoozed_until: t.Optional(nullable(Instant)),
    assignee_id: t.Optional(nullable(Id)),
    add_labels: t.Optional(t.Array(Label, { maxItems: LABELS_MAX, uniqueItems: true })),
    remove_labels: t.Optional(t.Array(Label, { maxItems: LABELS_MAX, uniqueItems: true })),
  },
  { additionalProperties: false },
)
export type BulkChange = Static<typeof BulkChange>

export const BulkChanged = t.Object({
  data: t.Array(Conversation),
  failed: t.Array(
    t.Object({ at: t.Integer({ description: 'Which of `ids`, the first is 0' }), detail: t.String() }),
  ),
})
export type BulkChanged = Static<typeof BulkChanged>
