/** How long a worker may own a job without a sign of life; a killed worker's jobs run again after this. */
export const LEASE_MS = 10_000
export const HEARTBEAT_MS = 3_000
/** How soon work of another process is noticed; this process wakes its own worker. */
export const POLL_MS = 75
/** Wake-ups that come one upon the other share a claim. */
export const WAKE_SPACING_MS = 3
/** After a claim failed, most often because the database is away. */
export const CLAIM_RETRY_MS = 300
/** No answer to a claim or a heartbeat within this time: the connection is given up for a new one. */
export const LINE_TIMEOUT_MS = 4_000

/** How often leases are looked for that no clock of ours can have written. It reads what sleeps, so not at every beat. */
export const STRAY_LEASES_MS = 600_000

/** Work inside the database: bound by connections. */
export const CONCURRENCY = 12
/** Work that waits for others' servers, and holds no connection while it waits. */
export const OUTGOING_CONCURRENCY = 24

/** How many jobs inside may be in hand beyond those that run: more when they are quick, fewer when they are slow. */
export const AHEAD_MIN = 24
export const AHEAD_MAX = 256
export const QUICK_BATCH_MS = 100
export const SLOW_BATCH_MS = 1_000

/** In a backlog each claim looks at this many teams, and takes at most this share of the batch from each in turn. */
export const TEAMS_PER_CLAIM_MAX = 32
export const TEAM_SHARE = 1 / 8

/** Quick jobs of one kind and team share a transaction: as many as took this long together, up to so many. */
export const GROUP_TIME_MS = 25
export const GROUP_MAX = 64

/**
 * A group of this size keeps the database busy on its own: only a few at once, more would wait for each
 * other's rows.
 */
export const LARGE_GROUP = 16
export const LARGE_GROUPS_AT_ONCE = 4

/** Reactions run in the transaction of their event: so many of a kind, and so many rounds of reactions to reactions. */
export const INLINE_MAX = 128
export const INLINE_ROUNDS_MAX = 2

/** A job that takes longer has failed, and writes nothing any more. */
export const TIME_MAX_MS = 60_000
export const OUTGOING_TIME_MAX_MS = 300_000

export const ERROR_LENGTH_MAX = 2_000
export const TRIES_MAX = 10
/** Workers die for reasons of their own, and take with them hundreds that only waited in their hands. */
export const SUSPECT_AFTER = 5
/** A job that still loses its worker when it is the only suspect there is what kills them. */
export const LOST_CLAIMS_MAX = 20
/** For suspects that come while another one is being watched; and how many are claimed while there are such. */
export const SUSPECT_WAIT_MS = 500
export const WARY_CLAIM = 4

/** The wait before each further try; the last one serves for all that follow. */
const BACKOFF_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 10_800_000]
const JITTER = 0.2

export function backoffMs(attempts: number, random = Math.random()): number {
  const wait = BACKOFF_MS[Math.min(attempts, BACKOFF_MS.length) - 1] ?? BACKOFF_MS[0]!
  return Math.round(wait * (1 - JITTER + 2 * JITTER * random))
}
