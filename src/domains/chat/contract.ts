import {
  ById,
  defineEndpoints,
  Id,
  Instant,
  listOf,
  nullable,
  oneOf,
  paging,
  sortBy,
  t,
  Text,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { OpenHours } from '#domains/conversations/settings-contract.ts'
import { Domain, KEY_PATTERN, Target } from '#domains/forms/parts.ts'
import { publicEndpoints } from './public-contract.ts'
import {
  ALLOWED_SITES_MAX,
  chatAgentModes,
  chatSorts,
  GREETING_LENGTH_MAX,
  LOGO_BYTES_MAX,
  LOGO_SIDE_MAX,
  QUESTIONS_MAX,
  questionTypes,
} from './values.ts'

export const ChatQuestion = t.Object(
  {
    key: t.String({ pattern: KEY_PATTERN, description: 'Key of the answer; unique in the widget' }),
    type: oneOf(questionTypes),
    label: Text,
    required: t.Optional(t.Boolean()),
  },
  { $id: 'ChatQuestion', additionalProperties: false },
)
export type ChatQuestion = Static<typeof ChatQuestion>

const writable = {
  name: Text,
  is_on: t.Boolean({ description: 'Off: the widget shows nothing, wherever it is embedded' }),
  allowed_domains: t.Array(Domain, {
    maxItems: ALLOWED_SITES_MAX,
    uniqueItems: true,
    description: 'Sites that may show it, like *.example.com. Empty: only the page of its own, /chat/<id>',
  }),
  colour: t.String({ pattern: '^#[0-9a-f]{6}$', description: 'Like #1f56b0' }),
  greeting: nullable(
    t.String({
      minLength: 1,
      maxLength: GREETING_LENGTH_MAX,
      pattern: '^[^\\u0000]*$',
      description: 'Shown beside the closed button until it is dismissed',
    }),
  ),
  timezone: t.String({ maxLength: 64, format: 'time-zone', description: 'Of the hours: an IANA time zone' }),
  hours: t.Array(OpenHours, {
    maxItems: 50,
    description: 'When people answer. Outside of them visitors leave a message. Empty: at all times',
  }),
  questions: t.Array(ChatQuestion, {
    maxItems: QUESTIONS_MAX,
    description: 'Asked before the first message. Empty: the chat begins at once',
  }),
  field_mapping: t.Record(t.String({ pattern: KEY_PATTERN }), Target, {
    additionalProperties: false,
    maxProperties: QUESTIONS_MAX,
    description: 'Which answer fills which lead field. Empty: no lead is created.',
  }),
  takes_files: t.Boolean(),
  privacy_url: nullable(t.String({ maxLength: 2000, pattern: '^https?://[^\\s<>"\\u0000-\\u001f]+$' })),
  agent_id: nullable(Id),
  agent_mode: oneOf(chatAgentModes, 'Whether the agent drafts for a person, or answers on its own'),
}

/** A chat that a team shows on its site. */
export const ChatWidget = t.Object(
  {
    id: Id,
    ...writable,
    logo_url: nullable(t.String({ description: 'Path of the logo on this server' })),
    created_at: Instant,
    updated_at: Instant,
  },
  { $id: 'ChatWidget' },
)
export type ChatWidget = Static<typeof ChatWidget>

export const NewChatWidget = t.Object(
  { ...t.Partial(t.Object(writable)).properties, name: Text },
  { additionalProperties: false },
)
export type NewChatWidget = Static<typeof NewChatWidget>
export const ChatWidgetChange = t.Partial(t.Object(writable), {
  additionalProperties: false,
  minProperties: 1,
})
export type ChatWidgetChange = Static<typeof ChatWidgetChange>

export const ListChatWidgets = t.Object(
  { ...paging, sort: sortBy(chatSorts) },
  { additionalProperties: false },
)
export type ListChatWidgets = Static<typeof ListChatWidgets>

const Utm = t.Record(t.String({ maxLength: 40 }), t.String({ maxLength: 500 }), { maxProperties: 10 })

/** How somebody came to chat: for the team, beside the conversation. */
export const ChatVisit = t.Object({
  session_id: Id,
  widget_id: Id,
  widget: t.String(),
  page: nullable(t.String({ description: 'The page they are on, as their browser says' })),
  first_page: nullable(t.String()),
  referrer: nullable(t.String()),
  utm: Utm,
  language: nullable(t.String()),
  answers: t.Record(t.String(), t.String(), {
    description: 'What they answered before the chat, by the question',
  }),
  is_here: t.Boolean({ description: 'Whether their page is open now' }),
  last_seen_at: Instant,
  created_at: Instant,
})
export type ChatVisit = Static<typeof ChatVisit>

const read = { scope: 'conversations:read' } as const
const write = { role: 'ADMIN' } as const

export const endpoints = defineEndpoints({
  listChatWidgets: {
    method: 'GET',
    path: '/api/chat/widgets',
    summary: 'List chat widgets',
    auth: read,
    query: ListChatWidgets,
    output: listOf(ChatWidget),
  },
  createChatWidget: {
    method: 'POST',
    path: '/api/chat/widgets',
    summary: 'Create a chat widget',
    auth: write,
    body: NewChatWidget,
    output: ChatWidget,
    status: 201,
    etag: true,
  },
  readChatWidget: {
    method: 'GET',
    path: '/api/chat/widgets/:id',
    summary: 'Read a chat widget',
    auth: read,
    params: ById,
    output: ChatWidget,
    etag: true,
  },
  changeChatWidget: {
    method: 'PATCH',
    path: '/api/chat/widgets/:id',
    summary: 'Change a chat widget',
    auth: write,
    params: ById,
    body: ChatWidgetChange,
    output: ChatWidget,
    etag: true,
  },
  deleteChatWidget: {
    method: 'DELETE',
    path: '/api/chat/widgets/:id',
    summary: 'Delete a chat widget; its conversations stay',
    auth: write,
    params: ById,
  },
  uploadChatLogo: {
    method: 'PUT',
    path: '/api/chat/widgets/:id/logo',
    summary: 'Upload the logo of a chat widget: PNG, JPEG or WebP',
    description: `The body is the image: at most ${LOGO_BYTES_MAX / 1024} KiB and ${LOGO_SIDE_MAX} pixels a side.`,
    auth: write,
    params: ById,
    upload: 'application/octet-stream',
    output: ChatWidget,
    etag: true,
  },
  deleteChatLogo: {
    method: 'DELETE',
    path: '/api/chat/widgets/:id/logo',
    summary: 'Remove the logo of a chat widget',
    auth: write,
    params: ById,
    output: ChatWidget,
    etag: true,
  },
  readChatVisit: {
    method: 'GET',
    path: '/api/conversations/:id/visit',
    summary: 'How the visitor of the latest web chat of a conversation came',
    auth: read,
    params: ById,
    output: ChatVisit,
  },
  ...publicEndpoints,
})

const live = { live: 'conversations:read' } as const
const Fields = t.Record(t.String(), t.Unknown())

export const chatEvents = {
  created: defineEvent('chat_widget.created', Fields, live),
  changed: defineEvent('chat_widget.changed', t.Object({ before: Fields, after: Fields }), live),
  deleted: defineEvent('chat_widget.deleted', Fields, live),
  /** Somebody began to chat. */
  begun: defineEvent(
    'chat.begun',
    t.Object({ widget_id: Id, page: nullable(t.String()), utm: Fields, answers: Fields }),
    live,
  ),
  /** A visitor wants a person instead of the agent. */
  personAsked: defineEvent(
    'chat.person_asked',
    t.Object({ widget_id: Id, address: t.String(), agent_id: nullable(t.String()) }),
    live,
  ),
}

export type { ChatEntry, ChatState, ShownWidget } from './public-contract.ts'
