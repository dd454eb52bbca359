import type { Context } from '#platform/context.ts'
import type { Counts, ScheduledJob } from '#platform/registry.ts'
import { readReplies } from './replies.ts'
import { syncDeliveries } from './sync.ts'

export const scheduled: ScheduledJob[] = [{ name: 'sync', cron: '*/5 * * * *', run: syncMail }]

/** Two sources report what happened to our emails. If one is unreachable, the other is still read. */
async function syncMail(ctx: Context): Promise<Counts> {
  const counts: Counts = {}
  const faults: Error[] = []
  for (const [what, read] of sources) {
    try {
      for (const [name, count] of Object.entries(await read(ctx))) counts[name] = (counts[name] ?? 0) + count
    } catch (error) {
      ctx.log.error({ err: error }, `${what} failed`)
      faults.push(
        new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error }),
      )
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, faults.map(({ message }) => message).join('; '))
  return counts
}

const sources: [string, (ctx: Context) => Promise<Counts>][] = [
  ['Reading replies', readReplies],
  ['Syncing delivery events', syncDeliveries],
]
