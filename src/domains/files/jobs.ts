import type { Context } from '#platform/context.ts'
import type { Sweep } from '#platform/registry.ts'
import { keptSince, keyOf } from './service.ts'
import * as store from './store.ts'

/** Of a team in a run; the next run continues. */
const REMOVED_AT_ONCE = 500

export const sweeps: Sweep[] = [{ name: 'unused_files', run: removeUnused }]

/**
 * Files that were never sent, and those that an erasure has condemned. The bytes go before the row, which is what tells
 * that there are some: after a crash in between, the next run finds the row again, and removing nothing is no failure.
 */
async function removeUnused(ctx: Context): Promise<number> {
  const ids = await store.condemn(ctx, keptSince(ctx), REMOVED_AT_ONCE)
  let removed = 0
  for (const id of ids) {
    try {
      await ctx.runtime.ports.storage.remove(keyOf(ctx, id))
    } catch (error) {
      // It is the same for the others, and the rest of the housekeeping must not wait for it.
      ctx.log.error({ err: error, file: id }, 'an unused file could not be removed')
      break
    }
    await store.removeCondemned(ctx, id)
    removed++
  }
  return removed
}
