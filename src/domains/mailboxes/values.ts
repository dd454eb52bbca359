export const mailboxKinds = ['imap', 'google', 'microsoft'] as const
export type MailboxKind = (typeof mailboxKinds)[number]

/** Who sees what comes in: the team, or its owner alone. */
export const mailboxVisibilities = ['team', 'owner'] as const
export type MailboxVisibility = (typeof mailboxVisibilities)[number]

/** NEW: connected and not read yet. */
export const mailboxStates = ['NEW', 'OK', 'FAILING'] as const
export type MailboxState = (typeof mailboxStates)[number]

/** What a domain publishes for those who receive its email. */
export const domainRecordKinds = ['spf', 'dkim', 'dmarc'] as const
export type DomainRecordKind = (typeof domainRecordKinds)[number]

export const domainRecordStates = ['good', 'missing', 'wrong', 'unknown'] as const

/** Emails of a mailbox in a day. */
export const DAILY_LIMIT_MAX = 10_000
/** What has no room waits for a day that has, so many at most. */
export const LIMIT_DAYS_MAX = 60
/** Then what waited for another day is sent, in the time zone of the mailbox. */
export const NEXT_DAY_BEGINS_H = 8
export const BOUNCE_DAYS = 30
/** Tests that one network asks for in an hour. */
export const TESTS_PER_HOUR = 30
export const SIGNATURE_LENGTH_MAX = 5_000
export const IMPORT_DAYS_MAX = 365
export const IMPORT_DAYS_DEFAULT = 30
export const MAILBOXES_MAX = 500
export const PASSWORD_LENGTH_MAX = 1_000
export const HOST_LENGTH_MAX = 253
export const NOTE_LENGTH_MAX = 500
/** Four weeks of open hours. */
export const ANSWER_MIN_MAX = 40_320
export const OPEN_HOURS_MAX = 50
/** What the agent of a mailbox does in the conversations that begin there. */
export const mailboxAgentModes = ['off', 'draft', 'auto'] as const
