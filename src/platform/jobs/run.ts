import { Context, systemActor, type Runtime } from '../context.ts'
import { byKey } from '../database/keyed.ts'
import type { Pool } from '../database/pool.ts'
import type { Transaction } from '../database/transaction.ts'
import { eventOfJob, fetchAhead } from '../event-log.ts'
import type { JobDefinition } from '../registry.ts'
import { OUTGOING_TIME_MAX_MS, TIME_MAX_MS } from './limits.ts'
import { bury, completeJobs, NO_TEAM, type Job } from './queue.ts'

export type RunOptions = { timeMaxMs?: number }

/**
 * Runs jobs of one kind and one team. Their effects and their ends are one transaction: all of it happens, or nothing.
 * Work that reaches outside keeps transactions of its own, and comes one by one. Answers those that were left for another
 * time, because they are about the same as one of the others.
 */
export async function runJobs(
  runtime: Runtime,
  jobs: readonly Job[],
  options: RunOptions = {},
): Promise<readonly Job[]> {
  const definition = runtime.registry.job(jobs[0]!.kind)
  if (!definition) throw new Error(`no handler for ${jobs[0]!.kind}`)
  const timeMaxMs = options.timeMaxMs ?? (definition.outgoing ? OUTGOING_TIME_MAX_MS : TIME_MAX_MS)
  const leash = new Leash(runtime.pool)
  const timer = setTimeout(() => leash.cut(new Error(`took longer than ${timeMaxMs / 1000} s`)), timeMaxMs)
  try {
    const leashed = { ...runtime, pool: leash.pool }
    return await (definition.outgoing ? runOutgoing : runInside)(leashed, definition, jobs, leash)
  } finally {
    clearTimeout(timer)
  }
}

/** Buries the job and does what its definition asks for then: both or neither. */
export async function buryJob(runtime: Runtime, job: Job, message: string): Promise<void> {
  await contextOf(runtime, job).transaction(async ctx => {
    if (await bury(ctx, job, message)) await runtime.registry.job(job.kind)?.buried?.(ctx, job)
  })
}

async function runInside(
  runtime: Runtime,
  { run, runAll, sideBySide }: JobDefinition,
  jobs: readonly Job[],
  leash: Leash,
): Promise<readonly Job[]> {
  return contextOf(runtime, jobs[0]!).transaction(async ctx => {
    const runOne = (job: Job) => leash.hold(run(contextOf(runtime, job, ctx.tx), job))
    if (runAll) await leash.hold(runAll(ctx, jobs))
    else {
      await fetchAhead(ctx, jobs)
      if (sideBySide && jobs.length > 1) {
        byKey(ctx)
        const { chosen, left } = await tellApart(ctx, jobs, sideBySide)
        await whenAllAreDone(chosen.map(runOne))
        completeJobs(ctx, chosen)
        return left
      }
      for (const job of jobs) await runOne(job)
    }
    completeJobs(ctx, jobs)
    return []
  })
}

/** As many as have nothing in common. */
async function tellApart(
  ctx: Context,
  jobs: readonly Job[],
  namesIn: NonNullable<JobDefinition['sideBySide']>,
): Promise<{ chosen: Job[]; left: Job[] }> {
  const [chosen, left]: [Job[], Job[]] = [[], []]
  const taken = new Set<string>()
  for (const job of jobs) {
    const names = namesIn(await eventOfJob(ctx, job))
    const isFree = names.every(name => !taken.has(name))
    for (const name of names) taken.add(name)
    ;(isFree ? chosen : left).push(job)
  }
  return { chosen, left }
}

/** Fails with the first failure, but not before the last of them has come to an end: nobody writes after that. */
async function whenAllAreDone(runs: readonly Promise<void>[]): Promise<void> {
  const failures: unknown[] = []
  await Promise.all(runs.map(run => run.catch(error => void failures.push(error))))
  if (failures.length > 0) throw failures[0]
}

async function runOutgoing(
  runtime: Runtime,
  { run }: JobDefinition,
  jobs: readonly Job[],
  leash: Leash,
): Promise<readonly Job[]> {
  for (const job of jobs) {
    const ctx = contextOf(runtime, job)
    await leash.hold(run(ctx, job))
    await ctx.transaction(async ctx => completeJobs(ctx, [job]))
  }
  return []
}

function contextOf(runtime: Runtime, job: Job, tx?: Transaction): Context {
  const team = job.team_id === NO_TEAM ? {} : { team: job.team_id }
  const cause = job.event_id === null ? {} : { cause: job.event_id }
  const request = { id: `job-${job.id}`, ip: null }
  return new Context(runtime, { actor: systemActor, ...team, ...cause, request }, tx)
}

/** Ties a handler to its time: once cut, its promise is no longer waited for, and it gets no connection any more. */
class Leash {
  readonly pool: Pool
  private readonly cutting = Promise.withResolvers<never>()
  private reason: Error | undefined

  constructor(pool: Pool) {
    this.cutting.promise.catch(() => {})
    this.pool = {
      ...pool,
      flush: async statements => {
        this.refuseIfCut()
        return pool.flush(statements)
      },
      checkOut: async () => {
        this.refuseIfCut()
        const checkout = await pool.checkOut()
        if (this.reason) checkout.release()
        this.refuseIfCut()
        return checkout
      },
    }
  }

  cut(reason: Error): void {
    this.reason = reason
    this.cutting.reject(reason)
  }

  hold<Result>(work: Promise<Result>): Promise<Result> {
    return Promise.race([work, this.cutting.promise])
  }

  private refuseIfCut(): void {
    if (this.reason) throw this.reason
  }
}
