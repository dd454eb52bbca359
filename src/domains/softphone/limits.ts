/** How long a process may hold a call without a sign of life; then another takes over. */
export const LEASE_MS = 5_000
export const HEARTBEAT_MS = 1_500
/** How often leases are looked for that no clock that is right can have written. */
export const STRAY_LEASES_MS = 10_000
/** How soon calls and commands of other processes are noticed; a process wakes its own attendant. */
export const POLL_MS = 200
/** The calls that one process attends to, and how many it takes at a time. */
export const CALLS_MAX = 2_000
export const CLAIM_MAX = 100
/** Lines wait so long for each other; what somebody waits for goes at once. */
export const GATHER_MS = 200
/** The calls whose news share a transaction. */
export const TOLD_TOGETHER_MAX = 100
/** After the database was away. */
export const WRITE_RETRY_MS = 500
/** What a call may tell while nothing can be written. */
export const NEWS_MAX = 2_000
export const TEXT_LENGTH_MAX = 8_000

/** A line that is away is tried again after these waits in turn. */
export const DIAL_RETRY_MS = [1_000, 4_000, 10_000] as const
export const OPEN_RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000] as const
export const FALLS_MAX = 50
/** A call that could not be made by then is not made any more. */
export const DIAL_WITHIN_MS = 10 * 60_000
/** Whether a call went out that somebody was dialling when he died: for so long it may still come round. */
export const DIAL_UNKNOWN_MS = 60_000
export const TOOL_TIMEOUT_MS = 20_000
/** After hanging up, the provider reports the end itself; after this time the call counts as ended. */
export const HANG_UP_MS = 3_000
/** For what is under way when the process is to end. */
export const STOP_MS = 4_000
