import { setTimeout as sleep } from 'node:timers/promises'
import { systemContext, type Runtime } from '../context.ts'
import type { Counts } from '../registry.ts'
import { lanesDue } from './claim.ts'
import { startWorker } from './worker.ts'

const DRAIN_TIME_MAX_MS = 50_000
const LOOK_MS = 20

/**
 * Does what is due of these kinds, until nothing of them is: a worker for the time being, with the leases and the fencing
 * of any other. Beside one that runs all the time it finds little to do, and takes nothing from it twice.
 */
export async function drain(
  runtime: Runtime,
  kinds: readonly string[],
  { timeMaxMs = DRAIN_TIME_MAX_MS }: { timeMaxMs?: number } = {},
): Promise<Counts> {
  const ctx = systemContext(runtime)
  const isAnyDue = async () => Object.values(await lanesDue(ctx, kinds)).some(Boolean)
  if (!(await isAnyDue())) return { done: 0, failed: 0 }
  const until = performance.now() + timeMaxMs
  const worker = startWorker(runtime, { kinds })
  /** What was taken and done while we looked may have left something new to do. */
  async function isNothingLeft(): Promise<boolean> {
    const taken = worker.taken()
    if (worker.stats().inHand > 0 || (await isAnyDue())) return false
    // What is not due any more may be on its way to the worker.
    await worker.claimed()
    return worker.stats().inHand === 0 && worker.taken() === taken
  }
  try {
    worker.wake()
    do {
      await sleep(LOOK_MS)
      worker.wake()
    } while (performance.now() < until && !(await isNothingLeft()))
  } finally {
    await worker.stop()
  }
  const { done, failed } = worker.stats()
  return { done, failed }
}
