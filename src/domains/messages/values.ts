export const messageChannels = ['email', 'sms'] as const
export type MessageChannel = (typeof messageChannels)[number]

/**
 * DUE: written, and to be sent. SENDING: in a worker's hand. SENT: taken by the next server. FAILED: refused, and tried
 * again while tries are left. UNKNOWN: nobody knows whether it was taken, and it is not sent again by itself.
 * CANCELLED: given up before it was sent.
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
