export const conversationChannels = ['email', 'sms', 'chat', 'whatsapp'] as const
export type ConversationChannel = (typeof conversationChannels)[number]
/** Those on which the team can write first; a web chat is begun by its visitor. */
export const firstChannels = ['email', 'sms', 'whatsapp'] as const
export type FirstChannel = (typeof firstChannels)[number]
/** What somebody who chats has for an address: `chat:` and the ID of the session. */
export const CHAT_ADDRESS = 'chat:'

/** What the agent of a conversation does: nothing, drafts for a person, or answers by itself. */
export const agentModes = ['off', 'draft', 'auto'] as const
export type AgentMode = (typeof agentModes)[number]

/** OPEN: it is our turn. WAITING: it is theirs. SNOOZED: out of sight until a time. CLOSED: done. */
export const conversationStates = ['OPEN', 'WAITING', 'SNOOZED', 'CLOSED'] as const
export type ConversationState = (typeof conversationStates)[number]

export const conversationSorts = ['last_message_at', 'answer_due_at'] as const

/** Who answers. */
export const writerKinds = ['person', 'agent', 'workflow'] as const
export type WriterKind = (typeof writerKinds)[number]

/** What the report of answer times has a row for. */
export const answerSpans = ['day', 'week', 'person', 'mailbox', 'channel'] as const
export type AnswerSpan = (typeof answerSpans)[number]
export const ANSWER_TIMES_DAYS = 28
/** A year, and the hour that a change of clocks may add to it. */
export const ANSWER_TIMES_DAYS_MAX = 367

/** What holds a message back for a time. */
export const conversationHolds = ['send_later', 'quiet_hours', 'daily_limit'] as const
export type ConversationHold = (typeof conversationHolds)[number]

/** Why nothing can be sent at all. */
export const sendingRefusals = ['no_address', 'suppressed', 'in_trash', 'window_closed'] as const
export type SendingRefusal = (typeof sendingRefusals)[number]

/** A reply waits so long before it is handed over, so that it can be taken back. */
export const UNDO_MS = 10_000
/** The text of a message is kept at least 90 days, whatever a team chooses: by then it is sent. */
export const SEND_LATER_MAX_DAYS = 60
export const SNOOZE_MAX_DAYS = 365
export const LABELS_MAX = 20
/** Conversations that are changed at once. */
export const BULK_MAX = 100
export const LABEL_LENGTH_MAX = 50
export const MENTIONS_MAX = 20
export const REPLY_LENGTH_MAX = 20_000
export const SUBJECT_LENGTH_MAX = 250
export const SAVED_REPLIES_MAX = 500
export const WHATSAPP_TEMPLATES_MAX = 2_000
export const TEMPLATE_NAME_LENGTH_MAX = 512
export const TEMPLATE_VALUES_MAX = 50
export const TEMPLATE_VALUE_LENGTH_MAX = 1_024
/** The beginning of the last message, for the list. */
export const LAST_TEXT_LENGTH_MAX = 200
/** Counts of views stop here: "99+". */
export const COUNTED_MAX = 100
/** A search looks at the conversations of so many leads. */
export const LEADS_SEARCHED_MAX = 200
/** The conversations of an account are those of so many of its leads: the latest active ones. */
export const LEADS_OF_ACCOUNT_MAX = 500
/** Labels in use that are listed. */
export const LABELS_LISTED_MAX = 200
export const ADDRESS_LENGTH_MAX = 254
export const ANSWER_ID_LENGTH_MAX = 1_000
export const NAME_LENGTH_MAX = 250
/** What came in, as far as it is shown. */
export const RECEIVED_LENGTH_MAX = 100_000
/** What the event tells of it. */
export const EVENT_TEXT_LENGTH_MAX = 5_000
/** Of an email that came in, as it is shown on request. */
export const HTML_LENGTH_MAX = 500_000
/** In Cc and in Bcc, each. */
export const COPIES_MAX = 25
/** Of an email that came in, with what it quotes. */
export const WHOLE_LENGTH_MAX = 200_000
/** Of an email to thousands, as many as anybody reads. */
export const RECIPIENTS_MAX = 200
/** What workflows and agents may write in one conversation within an hour, before only a person may. */
export const AUTOMATIC_REPLIES_PER_HOUR = 10
/** In a web chat, people and agents talk faster, and what a visitor may send is limited as well. */
export const AUTOMATIC_CHAT_REPLIES_PER_HOUR = 60
/** An agent waits so long for more: it answers the whole of what somebody says. */
export const AGENT_WAIT_MS = 3_000
/** Where a person has just written, an agent only drafts. */
export const PERSON_WROTE_MS = 15 * 60_000
/** How often a model is asked before an answer is there. */
export const AGENT_ROUNDS_MAX = 5
/** What came of a message that an agent was asked to answer. */
export const agentOutcomes = ['answered', 'drafted', 'handed_over', 'nothing', 'replaced'] as const
export type AgentOutcome = (typeof agentOutcomes)[number]
