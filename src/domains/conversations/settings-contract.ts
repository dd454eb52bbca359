import {
  ById,
  defineEndpoints,
  Id,
  Instant,
  listOf,
  nullable,
  oneOf,
  paging,
  t,
  Text,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { OpenHours, openMinutes, OpenWeek, OpenZone } from '#domains/mailboxes/answer-targets-contract.ts'
import { agentModes, REPLY_LENGTH_MAX } from './values.ts'

export { OpenHours }

const replyFields = {
  name: Text,
  text: t.String({
    minLength: 1,
    maxLength: REPLY_LENGTH_MAX,
    pattern: '^[^\\u0000]*$',
    description: 'May have placeholders, such as {{firstName}}',
  }),
}

/** A text that is used again and again. */
export const SavedReply = t.Object(
  { id: Id, ...replyFields, created_at: Instant, updated_at: Instant },
  { $id: 'SavedReply' },
)
export type SavedReply = Static<typeof SavedReply>
const NewSavedReply = t.Object(replyFields, { additionalProperties: false })
export type NewSavedReply = Static<typeof NewSavedReply>
const SavedReplyChange = t.Partial(t.Object(replyFields), { additionalProperties: false, minProperties: 1 })
export type SavedReplyChange = Static<typeof SavedReplyChange>

const Target = openMinutes('Minutes of open hours; null for none')
const settingsFields = {
  first_answer_min: Target,
  next_answer_min: Target,
  timezone: OpenZone,
  hours: OpenWeek,
  escalate_after_min: openMinutes(
    'Minutes of open hours after an answer was due until admins are notified; null for never',
  ),
  agent_id: nullable(Id),
  agent_mode: oneOf(
    agentModes,
    'What that agent does in conversations that begin, unless their mailbox or chat has one: nothing, draft, or answer automatically',
  ),
  creates_leads: t.Boolean({
    description:
      "Whether people who are not leads become leads when they write to the installation's mailbox, by text message or by WhatsApp",
  }),
  agents_say_ai: t.Boolean({ description: 'Whether the first answer of every agent says that it is an AI' }),
}
export const ConversationSettings = t.Object({ ...settingsFields, updated_at: Instant })
export type ConversationSettings = Static<typeof ConversationSettings>
const ConversationSettingsChange = t.Partial(t.Object(settingsFields), {
  additionalProperties: false,
  minProperties: 1,
})
export type ConversationSettingsChange = Static<typeof ConversationSettingsChange>

const read = { scope: 'conversations:read' } as const
const write = { scope: 'conversations:write' } as const

export const settingsEndpoints = defineEndpoints({
  listSavedReplies: {
    method: 'GET',
    path: '/api/conversations/saved-replies',
    summary: 'List saved replies, newest first',
    auth: read,
    query: t.Object(paging, { additionalProperties: false }),
    output: listOf(SavedReply),
  },
  createSavedReply: {
    method: 'POST',
    path: '/api/conversations/saved-replies',
    summary: 'Create a saved reply; its name is unique in the team',
    auth: write,
    body: NewSavedReply,
    output: SavedReply,
    status: 201,
    etag: true,
  },
  readSavedReply: {
    method: 'GET',
    path: '/api/conversations/saved-replies/:id',
    summary: 'Read a saved reply',
    auth: read,
    params: ById,
    output: SavedReply,
    etag: true,
  },
  changeSavedReply: {
    method: 'PATCH',
    path: '/api/conversations/saved-replies/:id',
    summary: 'Update a saved reply',
    auth: write,
    params: ById,
    body: SavedReplyChange,
    output: SavedReply,
    etag: true,
  },
  deleteSavedReply: {
    method: 'DELETE',
    path: '/api/conversations/saved-replies/:id',
    summary: 'Delete a saved reply',
    auth: write,
    params: ById,
  },
  readConversationSettings: {
    method: 'GET',
    path: '/api/conversations/settings',
    summary: 'Read answer targets, open hours and the default agent',
    auth: read,
    output: ConversationSettings,
    etag: true,
  },
  changeConversationSettings: {
    method: 'PATCH',
    path: '/api/conversations/settings',
    summary: 'Update answer targets, open hours and the default agent; messages that wait keep their time',
    auth: { role: 'ADMIN' },
    body: ConversationSettingsChange,
    output: ConversationSettings,
    etag: true,
  },
})

const Fields = t.Record(t.String(), t.Unknown())
const live = { live: 'conversations:read' } as const
const named = t.Object({ name: t.String() })

export const savedReplyEvents = {
  created: defineEvent('saved_reply.created', t.Object({ saved_reply: Fields }), live),
  changed: defineEvent('saved_reply.changed', t.Object({ before: Fields, after: Fields }), live),
  deleted: defineEvent('saved_reply.deleted', named, live),
}
export const conversationSettingsChanged = defineEvent(
  'conversation_settings.changed',
  t.Object({ before: Fields, after: Fields }),
  live,
)
