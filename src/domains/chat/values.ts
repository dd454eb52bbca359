/** The fixed words and limits of web chats, apart from the schemas so that the web app can carry them without a validator. */
export const questionTypes = ['text', 'email', 'phone'] as const
export type QuestionType = (typeof questionTypes)[number]

/** What a widget's agent does: drafts for a person, or answers by itself. */
export const chatAgentModes = ['draft', 'auto'] as const

export const chatSorts = ['name', 'created_at', 'updated_at'] as const

/** The languages that the widget speaks; every other visitor gets English. */
export const chatLanguages = ['en', 'de', 'fr', 'es'] as const
export type ChatLanguage = (typeof chatLanguages)[number]

export const WIDGETS_MAX = 50
export const QUESTIONS_MAX = 6
export const GREETING_LENGTH_MAX = 300
export const ALLOWED_SITES_MAX = 20
/** One message of a visitor. */
export const CHAT_TEXT_LENGTH_MAX = 4_000
export const CHAT_FILES_MAX = 5
export const CHAT_FILE_BYTES_MAX = 10 * 1024 * 1024
/** What is given at once of what was said. */
export const CHAT_PAGE_MAX = 100
/** A visitor who comes back within it goes on where they were. */
export const SESSION_DAYS = 30
/** Messages of one session an hour, and sessions of one network address an hour. */
export const MESSAGES_PER_HOUR = 120
export const SESSIONS_PER_HOUR = 30
/** What a visitor has not seen after it is sent to their email address, if they left one. */
export const UNSEEN_MS = 2 * 60_000
