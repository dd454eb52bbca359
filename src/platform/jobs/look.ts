import type { Context } from '../context.ts'
import { isConnectionLoss } from '../database/pool.ts'
import { lanesDue, type Lane } from './claim.ts'
import type { RunningLane } from './lane.ts'

type Woken = Pick<RunningLane, 'wake' | 'isUnsure'>

/**
 * Looks now and then whether work is due that another process left, and wakes the lanes it is for. One look serves both: a
 * worker without work asks the database a single short question instead of claiming in vain in each lane.
 */
export function lookForWork(
  ctx: Context,
  lanes: Record<Lane, Woken>,
  everyMs: number,
  kinds: readonly string[] | undefined,
): () => void {
  let stopped = false
  let timer = setTimeout(look, everyMs)

  async function look(): Promise<void> {
    try {
      const due = await lanesDue(ctx, kinds)
      for (const name of ['inside', 'outgoing'] as const)
        if (due[name] || lanes[name].isUnsure()) lanes[name].wake()
    } catch (error) {
      // While the database is away, the next look tries again.
      if (!isConnectionLoss(error)) ctx.runtime.log.error({ err: error }, 'looking for work failed')
    }
    if (!stopped) timer = setTimeout(look, everyMs)
  }

  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
