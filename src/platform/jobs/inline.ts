import type { Context } from '../context.ts'
import { bringEvent } from '../event-log.ts'
import { takeReactions } from '../events.ts'
import type { Registry } from '../registry.ts'
import { INLINE_MAX, INLINE_ROUNDS_MAX } from './limits.ts'
import { insertJobs, jobRow, type Job } from './queue.ts'

/** Runs jobs of one kind in the open transaction; returns those that are left for another one. */
type RunTogether = (ctx: Context, jobs: readonly Job[]) => Promise<readonly Job[]>

/**
 * Runs the reactions to what this transaction has recorded in the transaction itself, and then the reactions to what these
 * recorded (docs/decisions/0033). They never become rows of the queue, so there is nothing to claim and to end. What does
 * not fit becomes jobs as ever. If any of it fails, nothing has happened, and the queue runs each job alone, without this.
 */
export async function runReactions(
  ctx: Context,
  isAllowed: (kind: string) => boolean,
  runTogether: RunTogether,
): Promise<void> {
  const { registry } = ctx.runtime
  const accepts = (kind: string) => isAllowed(kind) && mayRunInline(registry, kind)
  for (let round = 0; round < INLINE_ROUNDS_MAX; round++) {
    const taken = await takeReactions(ctx, accepts)
    if (taken.length === 0) return
    const jobs = taken.map(({ kind, event }) => {
      const job = asJob(ctx, kind, event.id)
      bringEvent(job, event)
      return job
    })
    for (const group of Map.groupBy(jobs, ({ kind }) => kind).values()) {
      const left = await runTogether(ctx, group.slice(0, INLINE_MAX))
      leaveToQueue(ctx, [...left, ...group.slice(INLINE_MAX)])
    }
  }
}

/** Made for many at once, inside the database, and of no records that others hold one after the other. */
function mayRunInline(registry: Registry, kind: string): boolean {
  const definition = registry.job(kind)
  if (!definition || definition.outgoing || definition.alone) return false
  return definition.runAll !== undefined || definition.sideBySide !== undefined
}

function asJob(ctx: Context, kind: string, event_id: string): Job {
  const { id, team_id } = jobRow(ctx, { kind, event_id })
  return { id, kind, team_id, event_id, data: null, attempts: 1, lost: 0, owner: '' }
}

function leaveToQueue(ctx: Context, jobs: readonly Job[]): void {
  if (jobs.length === 0) return
  ctx.later(insertJobs(jobs.map(({ kind, event_id }) => jobRow(ctx, { kind, event_id: event_id! }))))
  ctx.afterCommit(ctx.runtime.wakeWorker)
}
