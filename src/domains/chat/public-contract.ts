import { ById, defineEndpoints, Id, Instant, nullable, oneOf, t, type Static } from '#platform/contract.ts'
import { CHAT_FILES_MAX, CHAT_TEXT_LENGTH_MAX, chatLanguages, questionTypes } from './values.ts'

/** What a visitor's page needs to show the chat. */
export const ShownWidget = t.Object(
  {
    id: Id,
    is_on: t.Boolean(),
    team: t.String({ description: 'Who the visitor talks to' }),
    colour: t.Object({
      fill: t.String(),
      on_fill: t.String({ description: 'White or near-black, whichever can be read on it' }),
      text: t.String({ description: 'The colour dark enough for text on white' }),
      dark_fill: t.String(),
      on_dark_fill: t.String(),
      dark_text: t.String(),
    }),
    greeting: nullable(t.String()),
    language: oneOf(chatLanguages),
    words: t.Record(t.String(), t.String(), { description: 'Every text of the widget in that language' }),
    is_open: t.Boolean({ description: 'Whether people answer at this hour' }),
    back_at: nullable(t.String({ format: 'date-time', description: 'When they are back' })),
    questions: t.Array(
      t.Object({ key: t.String(), type: oneOf(questionTypes), label: t.String(), required: t.Boolean() }),
    ),
    agent: nullable(t.Object({ name: t.String() }, { description: 'An AI answers first' })),
    answers_within_min: nullable(
      t.Integer({
        description: 'People usually answer within so many minutes; null if there is not enough to tell',
      }),
    ),
    logo_url: nullable(t.String({ description: 'Path on this server' })),
    takes_files: t.Boolean(),
    privacy_url: nullable(t.String()),
  },
  { $id: 'ShownChatWidget' },
)
export type ShownWidget = Static<typeof ShownWidget>

const ChatFile = t.Object({ id: Id, name: t.String(), type: t.String(), size: t.Integer() })

/** One message as its visitor sees it. */
export const ChatEntry = t.Object(
  {
    id: Id,
    at: Instant,
    by: oneOf(['visitor', 'person', 'agent', 'system'], 'Who wrote it'),
    name: nullable(t.String({ description: 'Of the person or the agent' })),
    text: t.String(),
    files: t.Array(ChatFile),
    sources: t.Array(t.String(), {
      description: 'What the agent answered from: names of saved replies and the like',
    }),
    key: nullable(t.String({ description: 'Of a message of the visitor: the key it was sent with' })),
  },
  { $id: 'ChatEntry' },
)
export type ChatEntry = Static<typeof ChatEntry>

/** How things stand for the visitor. */
export const ChatState = t.Object(
  {
    by: oneOf(['agent', 'person', 'nobody'], 'Who answers now'),
    name: nullable(t.String({ description: 'Of the agent, or of the person who wrote last' })),
    asked_for_person: t.Boolean(),
    is_open: t.Boolean(),
    back_at: nullable(Instant),
    answers_within_min: nullable(
      t.Integer({
        description: 'People usually answer within so many minutes; null if there is not enough to tell',
      }),
    ),
    email: nullable(t.String({ description: 'Where answers go when they have left' })),
  },
  { $id: 'ChatState' },
)
export type ChatState = Static<typeof ChatState>

const Line = t.String({ maxLength: 2_000, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })
const Answers = t.Record(
  t.String({ maxLength: 40 }),
  t.String({ maxLength: 500, pattern: '^[^\\u0000]*$' }),
  {
    maxProperties: 20,
    description: 'Answers to the questions of the widget, by key',
  },
)

/** For pages of any site. Their token is none of the API's: it says who chats. */
const visitor = { auth: 'open', protocol: 'web chat' } as const

export const publicEndpoints = defineEndpoints({
  showChatWidget: {
    method: 'GET',
    path: '/api/chat/:id',
    summary: 'What a page needs to show a chat widget',
    ...visitor,
    params: ById,
    query: t.Object({ language: t.Optional(t.String({ maxLength: 35 })) }, { additionalProperties: false }),
    output: ShownWidget,
  },
  beginChat: {
    method: 'POST',
    path: '/api/chat/:id/sessions',
    summary: "Begin to chat; `Origin` must be among the widget's `allowed_domains`",
    ...visitor,
    params: ById,
    body: t.Object(
      {
        page: t.Optional(Line),
        referrer: t.Optional(Line),
        utm: t.Optional(
          t.Record(t.String({ maxLength: 40 }), t.String({ maxLength: 500 }), { maxProperties: 10 }),
        ),
        language: t.Optional(t.String({ maxLength: 35 })),
        timezone: t.Optional(t.String({ maxLength: 64 })),
        answers: t.Optional(Answers),
      },
      { additionalProperties: false },
    ),
    output: t.Object({
      token: t.String({ description: 'For every further call, as a Bearer token' }),
      expires_at: Instant,
    }),
    status: 201,
    location: '/api/chat/messages',
  },
  readChat: {
    method: 'GET',
    path: '/api/chat/messages',
    summary: 'What was said in this chat, the oldest first',
    ...visitor,
    query: t.Object({ after: t.Optional(t.String({ maxLength: 200 })) }, { additionalProperties: false }),
    output: t.Object({
      data: t.Array(ChatEntry),
      state: ChatState,
      after: nullable(t.String({ description: 'For the next call: what comes after these' })),
    }),
  },
  sayInChat: {
    method: 'POST',
    path: '/api/chat/messages',
    summary: 'Send a message; the same `key` twice is one message',
    ...visitor,
    body: t.Object(
      {
        key: t.String({ minLength: 8, maxLength: 60, pattern: '^[A-Za-z0-9_-]*$' }),
        text: t.String({ minLength: 1, maxLength: CHAT_TEXT_LENGTH_MAX, pattern: '^[^\\u0000]*$' }),
        file_ids: t.Optional(t.Array(Id, { maxItems: CHAT_FILES_MAX, uniqueItems: true })),
        page: t.Optional(Line),
      },
      { additionalProperties: false },
    ),
    output: ChatEntry,
    status: 201,
    location: '/api/chat/messages',
  },
  streamChat: {
    method: 'GET',
    path: '/api/chat/live',
    summary:
      'Server-sent events of this chat: `entry`, `state`, `writing`, and `reset` if too many were missed',
    ...visitor,
    query: t.Object({ after: t.Optional(t.String({ maxLength: 200 })) }, { additionalProperties: false }),
    media: 'text/event-stream',
  },
  seenInChat: {
    method: 'POST',
    path: '/api/chat/seen',
    summary: 'Tell that everything up to this moment was shown',
    ...visitor,
    body: t.Object({ until: Instant }, { additionalProperties: false }),
  },
  writingInChat: {
    method: 'POST',
    path: '/api/chat/writing',
    summary: 'Tell the team that the visitor is writing; call it every few seconds',
    ...visitor,
  },
  askForPerson: {
    method: 'POST',
    path: '/api/chat/person',
    summary: 'Ask for a person instead of the agent',
    ...visitor,
    output: ChatState,
    status: 200,
  },
  changeChatSession: {
    method: 'PATCH',
    path: '/api/chat/session',
    summary: 'Leave a name or an address, for answers when the page is closed',
    ...visitor,
    body: t.Object({ answers: Answers }, { additionalProperties: false, minProperties: 1 }),
    output: ChatState,
  },
  uploadChatFile: {
    method: 'POST',
    path: '/api/chat/files',
    summary: 'Upload a file for a message, if the widget takes files',
    ...visitor,
    upload: 'application/octet-stream',
    output: ChatFile,
    status: 201,
    location: '/api/chat/files/{id}',
  },
  readChatFile: {
    method: 'GET',
    path: '/api/chat/files/:id',
    summary: 'Download a file of this chat',
    ...visitor,
    params: ById,
    media: 'application/octet-stream',
  },
  showChatPage: {
    method: 'GET',
    path: '/chat/:id',
    summary: 'The chat as a page of its own; without JavaScript, a form to leave a message',
    auth: 'open',
    params: t.Object({ id: t.String() }),
    unchecked: true,
    media: 'text/html',
    hidden: true,
  },
  leaveMessage: {
    method: 'POST',
    path: '/chat/:id',
    summary: 'Leave a message without JavaScript',
    auth: 'open',
    params: t.Object({ id: t.String() }),
    form: true,
    unchecked: true,
    media: 'text/html',
    hidden: true,
  },
  readChatScript: {
    method: 'GET',
    path: '/chat.js',
    summary: 'Script that shows a chat widget in another site',
    auth: 'open',
    unchecked: true,
    media: 'text/javascript',
    hidden: true,
  },
  readChatLogo: {
    method: 'GET',
    path: '/chat/logos/:id/:hash',
    summary: 'Logo of a chat widget',
    auth: 'open',
    params: t.Object({ id: t.String({ maxLength: 60 }), hash: t.String({ maxLength: 64 }) }),
    unchecked: true,
    media: 'image/png',
    hidden: true,
  },
  readChatAsset: {
    method: 'GET',
    path: '/chat/assets/:file',
    summary: 'Stylesheet and script of chat pages',
    auth: 'open',
    params: t.Object({ file: t.String({ maxLength: 60 }) }),
    unchecked: true,
    media: 'text/css',
    hidden: true,
  },
})
