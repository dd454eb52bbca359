export const callKinds = ['agent', 'human', 'manual'] as const
export type CallKind = (typeof callKinds)[number]
export const callDirections = ['inbound', 'outbound'] as const
export type CallDirection = (typeof callDirections)[number]
/** In the order in which a call moves; the last five are its end. */
export const callStates = [
  'SCHEDULED',
  'DIALING',
  'CONNECTED',
  'ENDED',
  'NO_ANSWER',
  'VOICEMAIL',
  'FAILED',
  'CANCELLED',
] as const
export type CallState = (typeof callStates)[number]
export const liveStates = ['SCHEDULED', 'DIALING', 'CONNECTED'] as const satisfies readonly CallState[]
export const speakers = ['agent', 'caller', 'person', 'system', 'tool'] as const
export type Speaker = (typeof speakers)[number]
export const followUpIntents = ['task', 'retry', 'meeting', 'workflow', 'none'] as const
export type FollowUpIntent = (typeof followUpIntents)[number]
export const callSorts = ['started_at'] as const

/** A transcript is cut off here, and says so. */
export const LINES_MAX = 5_000
export const LINE_LENGTH_MAX = 4_000
export const SUMMARY_LENGTH_MAX = 20_000
export const DURATION_SEC_MAX = 24 * 3_600
