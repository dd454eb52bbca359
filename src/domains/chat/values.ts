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
/** A logo is loaded by every visitor of a site. */
export const LOGO_BYTES_MAX = 256 * 1024
export const LOGO_SIDE_MAX = 1_024
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
/** The time within which people gave four of five answers in the last weeks, if there were enough. */
export const USUAL_ANSWERS_MIN = 10
export const USUAL_ANSWERS_MAX = 200
export const USUAL_DAYS = 28
/** Told in these steps; what takes longer is not told. */
export const USUAL_MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 480, 720, 1_440] as const
export const CHAT_FILES_MAX = 5
export const CHAT_FILE_BYTES_MAX = 10 * 1024 * 1024
/** What is given at once of what was said. */
export const CHAT_PAGE_MAX = 100
/** A visitor who comes back within it goes on where they were. */
export const SESSION_DAYS = 30
/** Messages of one session an hour, and sessions of one network address an hour. */
export const MESSAGES_PER_HOUR = 120
export const SESSIONS_PER_HOUR = 30
export const FILES_PER_HOUR = 30
/** What a visitor has not seen after it is sent to their email address, if they left one. */
export const UNSEEN_MS = 2 * 60_000
/** A page that has not been heard of for so long is closed. */
export const HERE_MS = 45_000
/** What visitors may send: pictures, sound, text and documents. Whatever it says it is, it is only ever downloaded. */
export const CHAT_FILE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/heic',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'audio/webm',
  'video/mp4',
  'video/webm',
  'video/quicktime',
  'text/plain',
  'text/csv',
  'text/markdown',
  'application/pdf',
  'application/json',
  'application/zip',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
] as const
