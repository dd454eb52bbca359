import {
  anyOf,
  ById,
  defineEndpoints,
  Id,
  listOf,
  nullable,
  oneOf,
  paging,
  sortBy,
  t,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { answerTimesEndpoints } from './answer-times-contract.ts'
import { ConversationEntry, WrittenEntry } from './entry-contract.ts'
import {
  BulkChange,
  BulkChanged,
  Conversation,
  ConversationChange,
  Label,
  StartedConversation,
} from './record-contract.ts'
import {
  AskedMailbox,
  CheckFirst,
  NewConversation,
  NewEntry,
  ReplyDraft,
  SendingCheck,
} from './writing-contract.ts'
import {
  BULK_MAX,
  COUNTED_MAX,
  conversationChannels,
  conversationSorts,
  conversationStates,
  LABELS_LISTED_MAX,
} from './values.ts'

const ListConversations = t.Object(
  {
    ...paging,
    sort: sortBy(conversationSorts),
    state: anyOf(oneOf(conversationStates)),
    assignee_id: anyOf(t.Union([Id, t.Literal('none')])),
    mailbox_id: anyOf(t.Union([Id, t.Literal('none')])),
    lead_id: anyOf(Id),
    account_id: anyOf(Id),
    opportunity_id: anyOf(Id),
    channel: anyOf(oneOf(conversationChannels)),
    label: anyOf(Label),
    late: t.Optional(t.Boolean({ description: 'Whether the answer is late at this moment' })),
    q: t.Optional(t.String({ maxLength: 200, description: 'Search leads, or the start of an address' })),
  },
  { additionalProperties: false },
)
export type ListConversations = Static<typeof ListConversations>

const Count = t.Integer({ minimum: 0, maximum: COUNTED_MAX })
export const ConversationCounts = t.Object({
  mine: Count,
  unassigned: Count,
  open: Count,
  waiting: Count,
  snoozed: Count,
  overdue: Count,
})
export type ConversationCounts = Static<typeof ConversationCounts>

const UsedLabel = t.Object({ label: t.String(), count: Count })
export type UsedLabel = Static<typeof UsedLabel>

const read = { scope: 'conversations:read' } as const
const write = { scope: 'conversations:write' } as const
const ByMessage = t.Object({ id: Id, message_id: Id })

export const endpoints = defineEndpoints({
  ...answerTimesEndpoints,
  listConversations: {
    method: 'GET',
    path: '/api/conversations',
    summary: 'List and filter conversations, the latest message first',
    auth: read,
    query: ListConversations,
    output: listOf(Conversation),
  },
  createConversation: {
    method: 'POST',
    path: '/api/conversations',
    summary: 'Write to a lead or an address; continues the conversation if there is one',
    auth: write,
    body: NewConversation,
    output: StartedConversation,
    status: 201,
    etag: true,
  },
  countConversations: {
    method: 'GET',
    path: '/api/conversations/counts',
    summary: `Count the conversations of each view, up to ${COUNTED_MAX}`,
    auth: read,
    output: ConversationCounts,
  },
  listConversationLabels: {
    method: 'GET',
    path: '/api/conversations/labels',
    summary: `List the labels in use, the first ${LABELS_LISTED_MAX}, and count their conversations, up to ${COUNTED_MAX}`,
    auth: read,
    output: t.Object({ data: t.Array(UsedLabel) }),
  },
  checkFirstMessage: {
    method: 'GET',
    path: '/api/conversations/sending',
    summary:
      'Check what would hold or refuse a message to a lead or an address, also where there is no conversation yet',
    auth: read,
    query: CheckFirst,
    output: SendingCheck,
  },
  changeConversations: {
    method: 'POST',
    path: '/api/conversations/bulk',
    summary: `Close, snooze, assign or label up to ${BULK_MAX} conversations`,
    auth: write,
    body: BulkChange,
    output: BulkChanged,
    status: 200,
  },
  readConversation: {
    method: 'GET',
    path: '/api/conversations/:id',
    summary: 'Read a conversation',
    auth: read,
    params: ById,
    output: Conversation,
    etag: true,
  },
  changeConversation: {
    method: 'PATCH',
    path: '/api/conversations/:id',
    summary: 'Close, reopen, snooze, assign or label a conversation, or link it to a lead',
    auth: write,
    params: ById,
    body: ConversationChange,
    output: Conversation,
    etag: true,
  },
  markConversationRead: {
    method: 'POST',
    path: '/api/conversations/:id/read',
    summary: 'Mark a conversation as read by you',
    auth: { role: 'VIEWER' },
    params: ById,
  },
  tellWriting: {
    method: 'POST',
    path: '/api/conversations/:id/writing',
    summary: 'Show to others that you are writing; call it every few seconds',
    auth: { role: 'MEMBER' },
    params: ById,
  },
  checkSending: {
    method: 'GET',
    path: '/api/conversations/:id/sending',
    summary: 'Check what would hold or refuse a message that is sent now',
    auth: read,
    params: ById,
    query: t.Object(
      {
        channel: t.Optional(oneOf(conversationChannels)),
        mailbox_id: t.Optional(AskedMailbox),
      },
      { additionalProperties: false },
    ),
    output: SendingCheck,
  },
  draftReply: {
    method: 'POST',
    path: '/api/conversations/:id/draft',
    summary: 'Draft an answer to the last message, for you to change and send',
    description:
      'Made of saved replies and of what is known of this lead. Nothing is sent or stored. `text` is null where there is nothing to draft from.',
    auth: { role: 'MEMBER' },
    params: ById,
    output: ReplyDraft,
    status: 200,
  },
  listConversationMessages: {
    method: 'GET',
    path: '/api/conversations/:id/messages',
    summary: 'List the messages, notes and calls of a conversation, newest first',
    auth: read,
    params: ById,
    query: t.Object(paging, { additionalProperties: false }),
    output: listOf(ConversationEntry),
  },
  addConversationMessage: {
    method: 'POST',
    path: '/api/conversations/:id/messages',
    summary: 'Reply, now or later, or add a note for the team',
    description:
      'With `If-Match` of the conversation, 412 if somebody else has written or changed it meanwhile. A reply waits ten seconds, so that it can be cancelled.',
    auth: write,
    params: ById,
    body: NewEntry,
    output: WrittenEntry,
    status: 201,
    etag: true,
  },
  readConversationMessage: {
    method: 'GET',
    path: '/api/conversations/:id/messages/:message_id',
    summary: 'Read a message, note or call of a conversation',
    auth: read,
    params: ByMessage,
    output: ConversationEntry,
  },
  readOriginalMessage: {
    method: 'GET',
    path: '/api/conversations/:id/messages/:message_id/original',
    summary: 'The whole of an email as its sender wrote it, as a page that runs nothing',
    description: 'Images from elsewhere are left out unless `images=true`: loading them tells the sender.',
    auth: read,
    params: ByMessage,
    query: t.Object({ images: t.Optional(t.Boolean()) }, { additionalProperties: false }),
    media: 'text/html',
  },
  cancelConversationMessage: {
    method: 'POST',
    path: '/api/conversations/:id/messages/:message_id/cancel',
    summary: 'Cancel a reply that has not been sent yet',
    auth: write,
    params: ByMessage,
    output: ConversationEntry,
    status: 200,
  },
})

const live = { live: 'conversations:read' } as const
const Fields = t.Record(t.String(), t.Unknown())
const channel = oneOf(conversationChannels)
const subject = nullable(t.String())

export const conversationEvents = {
  received: defineEvent(
    'conversation.received',
    t.Object({
      channel,
      address: t.String(),
      name: nullable(t.String()),
      subject,
      text: t.String(),
      automatic: t.Boolean(),
      assignee_id: nullable(t.String()),
      is_first: t.Boolean(),
      message_id: nullable(t.String({ description: 'The message of ours that it answers' })),
    }),
    live,
  ),
  sent: defineEvent(
    'conversation.sent',
    t.Object({ message_id: Id, channel, address: t.String(), subject, text: t.String(), due_at: t.String() }),
    live,
  ),
  /** An email was passed on to somebody else: nobody has been answered. */
  forwarded: defineEvent(
    'conversation.forwarded',
    t.Object({ message_id: Id, to: t.String(), subject: t.String(), due_at: t.String() }),
    live,
  ),
  noted: defineEvent(
    'conversation.noted',
    t.Object({ entry_id: Id, text: t.String(), mentions: t.Array(Id) }),
    live,
  ),
  assigned: defineEvent(
    'conversation.assigned',
    t.Object({ before: nullable(t.String()), assignee_id: nullable(t.String()) }),
    live,
  ),
  /** An agent leaves it to a person. */
  handedOver: defineEvent(
    'conversation.handed_over',
    t.Object({
      agent_id: Id,
      agent: t.String(),
      reason: t.String(),
      summary: nullable(t.String()),
      channel,
      address: t.String(),
      name: nullable(t.String()),
      text: t.String(),
      assignee_id: nullable(t.String()),
      before: t.String(),
    }),
    live,
  ),
  closed: defineEvent('conversation.closed', t.Object({ before: t.String() }), live),
  /** An answer is late: told once for each message that waits. */
  waiting: defineEvent(
    'conversation.waiting',
    t.Object({
      channel,
      due_at: t.String(),
      since: t.String(),
      assignee_id: nullable(t.String()),
      subject,
      text: t.String(),
    }),
    live,
  ),
  /** It has stayed late for as long as the team allows: told once, as above. */
  escalated: defineEvent(
    'conversation.escalated',
    t.Object({
      channel,
      due_at: t.String(),
      since: t.String(),
      assignee_id: nullable(t.String()),
      subject,
      text: t.String(),
    }),
    live,
  ),
  changed: defineEvent('conversation.changed', t.Object({ before: Fields, after: Fields }), live),
}

export type {
  ConversationSettings,
  ConversationSettingsChange,
  NewSavedReply,
  OpenHours,
  SavedReply,
  SavedReplyChange,
  settingsEndpoints,
} from './settings-contract.ts'
export type { AnswerFigures, AnswerTimes, AnswerTimesRow } from './answer-times-contract.ts'
export type { mailboxEndpoints } from './mailbox-contract.ts'
export type { TemplateChoice, WhatsAppTemplate, whatsappEndpoints } from './whatsapp-contract.ts'
export type { AgentDraft, agentEndpoints, AgentTurn } from './agent-contract.ts'
export type { AttachedFile, ConversationEntry, WrittenEntry } from './entry-contract.ts'
export type { CheckFirst, NewConversation, NewEntry, ReplyDraft, SendingCheck } from './writing-contract.ts'
export type {
  BulkChange,
  BulkChanged,
  Conversation,
  ConversationChange,
  StartedConversation,
} from './record-contract.ts'
