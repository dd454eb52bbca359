const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The delay before each retry. After the last one there are no automatic retries. */
export const RETRY_WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
/** Either way, so that what failed together does not come back together. */
export const JITTER = 0.1
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS

/** So many failures in a row, and the address is left in peace: for longer each time. */
export const FAILURES_BEFORE_PAUSE = 5
const PAUSE_MS = MINUTE_MS
const PAUSE_MAX_MS = 30 * MINUTE_MS
/** So long without one success, and the address is given up. */
export const GIVEN_UP_AFTER_MS = 5 * DAY_MS
/** Longer than any wait between two tries: what fails after such a silence is the beginning of something new. */
const SILENCE_MS = 2 * DAY_MS

/** How many may be on their way to one address: the others get their turn, however slow it is. */
export const IN_HAND_MAX = 6
const IN_HAND_WHILE_FAILING_MAX = 1

/** How an address is doing. */
export type Health = {
  failures: number
  pauses: number
  failing_since: string | null
  paused_until: string | null
  last_success_at: string | null
  last_failure_at: string | null
}

/** Until the next try, after so many that failed; undefined after the last. What the receiver asks for may be later. */
export function retryWaitMs(
  tries: number,
  askedMs: number | undefined,
  random = Math.random(),
): number | undefined {
  const wait = RETRY_WAITS_MS[tries - 1]
  if (wait === undefined) return undefined
  const ownMs = Math.round(wait * (1 - JITTER + 2 * JITTER * random))
  return Math.max(ownMs, Math.min(askedMs ?? 0, RETRY_AFTER_MAX_MS))
}

/** What Retry-After asks for: a number of seconds, or a date. Undefined when it is neither. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * SECOND_MS
  // Only as HTTP writes a date: what else can be taken for one would be a guess.
  if (!/^[A-Za-z]{3},? .* GMT$/.test(text)) return undefined
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}

export function afterSuccess(health: Health, now: string): Health {
  return {
    ...health,
    failures: 0,
    pauses: 0,
    failing_since: null,
    paused_until: null,
    last_success_at: now,
  }
}

/** `made_at` is when what failed was made: it tells a silence from a long wait. */
export function afterFailure(health: Health, now: string, made_at: string): Health {
  const failures = health.failures + 1
  const failing_since = isNewTrouble(health, made_at) ? now : (health.failing_since ?? now)
  const counted = { ...health, failures, failing_since, last_failure_at: now }
  // What was under way when the pause began says nothing new.
  if (failures < FAILURES_BEFORE_PAUSE || isPaused(health, now)) return counted
  const pauseMs = Math.min(PAUSE_MS * 2 ** health.pauses, PAUSE_MAX_MS)
  return { ...counted, pauses: health.pauses + 1, paused_until: later(now, pauseMs) }
}

/** Nobody is let through until the pause is over. */
export function isPaused({ paused_until }: Pick<Health, 'paused_until'>, now: string): boolean {
  return paused_until !== null && paused_until > now
}

export function isGivenUp({ failing_since }: Health, now: string): boolean {
  return failing_since !== null && later(failing_since, GIVEN_UP_AFTER_MS) <= now
}

/** How many more may go there now. After a pause one goes first, and the others once it has succeeded. */
export function roomFor(health: Health, inHand: number, now: string): number {
  if (isPaused(health, now)) return 0
  const max = health.failures > 0 ? IN_HAND_WHILE_FAILING_MAX : IN_HAND_MAX
  return Math.max(0, max - inHand)
}

function isNewTrouble({ last_failure_at }: Health, made_at: string): boolean {
  return last_failure_at !== null && made_at > later(last_failure_at, SILENCE_MS)
}

function later(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString()
}
