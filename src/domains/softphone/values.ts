export const PROMPT_LENGTH_MAX = 4_000
/** Concurrent calls of one team. */
export const LIVE_CALLS_MAX = 500
export const ANALYTICS_DAYS_MAX = 92
/** By the hour up to here, then by the day. */
export const HOURLY_DAYS_MAX = 2
/** Why an agent does not call. */
export const refusals = [
  'no_phone',
  'suppressed',
  'no_consent',
  'quiet_hours',
  'on_a_call',
  'too_many_calls',
  'no_line',
] as const
export type Refusal = (typeof refusals)[number]
/** Temporary obstacles: a waiting call is postponed, not cancelled. */
export const passingRefusals: readonly Refusal[] = ['on_a_call', 'too_many_calls', 'no_line']
