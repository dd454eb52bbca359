export const messageChannels = ['email', 'sms'] as const
export type MessageChannel = (typeof messageChannels)[number]

/**
 * DUE: to be sent. SENDING: claimed by a worker. SENT: accepted by the next server. FAILED: refused, and
 * retried while attempts are left. UNKNOWN: it is unknown whether it was accepted, and it is not resent
 * automatically. CANCELLED: cancelled before it was sent.
 */
export const messageStatuses = ['DUE', 'SENDING', 'SENT', 'FAILED', 'UNKNOWN', 'CANCELLED'] as const
export type MessageStatus = (typeof messageStatuses)[number]

export const messageSources = ['sequence', 'workflow', 'person'] as const
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
