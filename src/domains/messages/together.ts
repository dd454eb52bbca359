import type { Context } from '#platform/context.ts'
import { gather, type GatherOptions } from '#platform/gather.ts'
import type { Job } from '#platform/jobs/queue.ts'

const BATCH_MAX = 64

/** Something to be done for a job, beside others of the same moment. */
export type Errand<Author> = { ctx: Context; job: Job; author: Author }

/**
 * What several jobs want at the same moment, in one transaction for each team and author. Where that fails it is tried
 * again for each job alone: one that was lost to another worker takes no other along.
 */
export function together<Author, Item extends Errand<Author>, Result>(
  run: (ctx: Context, author: Author, items: readonly Item[]) => Promise<Result[]>,
  options: Pick<GatherOptions, 'batchMin' | 'patienceMs'> = {},
): (item: Item) => Promise<Result> {
  async function runAll(items: Item[]): Promise<PromiseSettledResult<Result>[]> {
    const settled = new Map<Item, PromiseSettledResult<Result>>()
    for (const list of groupsOf(items, ({ ctx, author }) => [ctx.team_id, author])) {
      if (await tried(list, settled)) continue
      for (const own of groupsOf(list, ({ job }) => [job])) await tried(own, settled)
    }
    return items.map(item => settled.get(item)!)
  }

  async function tried(list: Item[], settled: Map<Item, PromiseSettledResult<Result>>): Promise<boolean> {
    const { ctx, author } = list[0]!
    try {
      const results = await run(ctx, author, list)
      list.forEach((item, at) => settled.set(item, { status: 'fulfilled', value: results[at]! }))
      return true
    } catch (reason) {
      for (const item of list) settled.set(item, { status: 'rejected', reason })
      return false
    }
  }

  const handIn = gather(runAll, { batchMax: BATCH_MAX, ...options })
  return async item => {
    const result = await handIn(item)
    if (result.status === 'rejected') throw result.reason
    return result.value
  }
}

/** Those that have the same keys, in the order of coming. */
function groupsOf<Item>(items: readonly Item[], keysOf: (item: Item) => readonly unknown[]): Item[][] {
  const groups: { keys: readonly unknown[]; items: Item[] }[] = []
  for (const item of items) {
    const keys = keysOf(item)
    const group = groups.find(known => known.keys.every((key, at) => key === keys[at]))
    if (group) group.items.push(item)
    else groups.push({ keys, items: [item] })
  }
  return groups.map(group => group.items)
}
