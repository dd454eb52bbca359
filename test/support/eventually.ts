import { setTimeout as pause } from 'node:timers/promises'

/** What comes soon is seen soon; what takes its time is not asked for a hundred times a second. */
const STEP_MS = 10
const STEP_MS_MAX = 50
const STEP_GROWTH = 1.25
/** A machine that runs everything at once is slow: what comes at all, comes within this. */
const PATIENCE_MS = 20_000

/** For what a worker does in its own time: tries until it holds, and tells the last failure when it never does. */
export async function eventually<Result>(
  check: () => Promise<Result> | Result,
  withinMs = PATIENCE_MS,
): Promise<Result> {
  const end = Date.now() + withinMs
  for (let stepMs = STEP_MS; ; stepMs = Math.min(stepMs * STEP_GROWTH, STEP_MS_MAX)) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > end) throw error
      await pause(stepMs)
    }
  }
}
