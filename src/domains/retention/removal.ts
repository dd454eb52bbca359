import type { Context } from '#platform/context.ts'
import type { Counts } from '#platform/registry.ts'
import { removeExpired, removeOldEvents } from './store.ts'
import { retentionKinds, retentionRules } from './values.ts'

/** One transaction removes no more than this. */
export const REMOVED_AT_ONCE = 5_000
/** How many blocks of one kind a run of the housekeeping removes. The next run continues. */
const BLOCKS_MAX = 100
/** Events are checked one by one: most of them belong to a record that still exists. */
const EVENT_TEAMS_AT_ONCE = 20
export const EVENTS_PER_TEAM_AT_ONCE = 1_000

/** What is older than its team keeps it, in blocks of many teams. A block of its own transaction holds nobody up. */
export async function removeOld(ctx: Context): Promise<Counts> {
  const counts: Counts = {}
  const at = ctx.now()
  for (const kind of retentionKinds) {
    const block =
      kind === 'events'
        ? () => removeEvents(ctx, at)
        : () => removeExpired(ctx, kind, retentionRules[kind].days, { at, rows: REMOVED_AT_ONCE }).then(ended)
    let removed = 0
    for (let blocks = 0; blocks < BLOCKS_MAX; blocks++) {
      const next = await block()
      removed += next.removed
      if (next.done) break
    }
    counts[`old_${kind}`] = removed
  }
  return counts
}

function ended(removed: number) {
  return { removed, done: removed < REMOVED_AT_ONCE }
}

async function removeEvents(ctx: Context, at: string) {
  const block = { at, rows: EVENTS_PER_TEAM_AT_ONCE }
  const { teams, removed } = await removeOldEvents(ctx, EVENT_TEAMS_AT_ONCE, block)
  return { removed, done: teams === 0 }
}
