import { setTimeout as pause } from 'node:timers/promises'

const STEP_MS = 10
/** A machine that runs everything at once is slow: what comes at all, comes within this. */
const PATIENCE_MS = 20_000

/** For what a worker does in its own time: tries until it holds, and tells the last failure when it never does. */
export async function eventually<Result>(
  check: () => Promise<Result> | Result,
  withinMs = PATIENCE_MS,
): Promise<Result> {
  const end = Date.now() + withinMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > end) throw error
      await pause(STEP_MS)
    }
  }
}
