import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import * as dead from '#platform/jobs/dead.ts'
import { Problem } from '#platform/problem.ts'
import { describeSchedule, runScheduled, type RunResult } from '#platform/schedule.ts'
import { jobDiscarded, jobRetried } from './contract.ts'

export async function listDeadJobs(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
) {
  const rows = await dead.listDead(ctx, limit + 1, cursor ? decodeInstantCursor(cursor) : undefined)
  const { data, next_cursor } = pageOf(rows, limit)
  return { data: data.map(asDeadJob), next_cursor }
}

export async function retryDeadJob(ctx: Context, id: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const kind = await dead.revive(ctx, id)
    if (!kind) throw noSuchJob()
    record(ctx, jobRetried, { kind: 'job', id }, { kind })
    ctx.afterCommit(ctx.runtime.wakeWorker)
  })
}

export async function discardDeadJob(ctx: Context, id: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const kind = await dead.discard(ctx, id)
    if (!kind) throw noSuchJob()
    record(ctx, jobDiscarded, { kind: 'job', id }, { kind })
  })
}

export async function listScheduledJobs(ctx: Context) {
  return { data: await Promise.all(ctx.runtime.registry.scheduled.map(job => describeSchedule(ctx, job))) }
}

export async function runScheduledJob(ctx: Context, name: string): Promise<RunResult> {
  const job = ctx.runtime.registry.scheduled.find(candidate => candidate.name === name)
  if (!job) throw new Problem('not_found', 'No such scheduled job.')
  return runScheduled(ctx, job, 'route')
}

type DeadRow = Awaited<ReturnType<typeof dead.listDead>>[number]

function asDeadJob({ last_error, failed_at, ...job }: DeadRow) {
  return { ...job, error: last_error ?? '', failed_at: failed_at ?? job.created_at }
}

function noSuchJob(): Problem {
  return new Problem('not_found', 'No such failed job.')
}
