export const messageChannels = ['email', 'sms', 'whatsapp'] as const
export type MessageChannel = (typeof messageChannels)[number]

/**
 * DUE: to be sent. SENDING: claimed by a worker; with `accepted_at`, WhatsApp has it and has not said yet whether
 * it is sent. SENT: accepted by the next server, or sent by WhatsApp's word. FAILED: refused, and retried while attempts are left. UNKNOWN: it is unknown whether it was accepted, and it is not resent
 * automatically. CANCELLED: cancelled before it was sent.
 */
export const messageStatuses = ['DUE', 'SENDING', 'SENT', 'FAILED', 'UNKNOWN', 'CANCELLED'] as const
export type MessageStatus = (typeof messageStatuses)[number]

export const messageSources = ['sequence', 'workflow', 'person', 'agent'] as const
export type MessageSource = (typeof messageSources)[number]

/** What was heard of it afterwards, for filters. */
export const messageOutcomes = [
  'delivered',
  'opened',
  'clicked',
  'replied',
  'bounced',
  'complained',
  'unsubscribed',
] as const
export type MessageOutcome = (typeof messageOutcomes)[number]

export const SMS_LENGTH_MAX = 1_600
export const WHATSAPP_LENGTH_MAX = 4_096
/** Beside a file. */
export const WHATSAPP_CAPTION_LENGTH_MAX = 1_024
/** For so long after somebody has written by WhatsApp, free text may be sent to them. */
export const WHATSAPP_WINDOW_MS = 24 * 3_600_000
/** What WhatsApp has accepted is confirmed within this time, or it is unknown whether it was sent. */
export const WHATSAPP_CONFIRMED_WITHIN_MS = 24 * 3_600_000
