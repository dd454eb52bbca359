import { Context, systemActor, type Runtime } from '../context.ts'
import { byKey } from '../database/keyed.ts'
import type { Pool } from '../database/pool.ts'
import type { Transaction } from '../database/transaction.ts'
import { eventOfJob, fetchAhead } from '../event-log.ts'
import type { JobDefinition, Registry } from '../registry.ts'
import { runReactions } from './inline.ts'
import { OUTGOING_TIME_MAX_MS, TIME_MAX_MS } from './limits.ts'
import { requireMarks } from './marks.ts'
import { bury, completeJobs, NO_TEAM, type Job } from './queue.ts'

export type RunOptions = {
  timeMaxMs?: number
  /** Only jobs of these kinds; all by default. */
  kinds?: readonly string[]
  /** Whether reactions may run in the transaction of their event. */
  inline?: boolean
}

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
    await requireMarks(leashed, jobs)
    return await (definition.outgoing ? runOutgoing : runInside)(leashed, definition, jobs, leash, options)
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
  definition: JobDefinition,
  jobs: readonly Job[],
  leash: Leash,
  { kinds, inline = false }: RunOptions,
): Promise<readonly Job[]> {
  const names = namesOf(runtime.registry)
  try {
    return await contextOf(runtime, jobs[0]!).transaction(async ctx => {
      names.release()
      const left = await runTogether(ctx, definition, jobs, { leash })
      if (inline && definition.inlineReactions)
        await runReactions(
          ctx,
          kind => kinds?.includes(kind) ?? true,
          (ctx, jobs) => runTogether(ctx, runtime.registry.job(jobs[0]!.kind)!, jobs, { leash, names }),
        )
      completeJobs(ctx, left.length === 0 ? jobs : jobs.filter(job => !left.includes(job)))
      return left
    })
  } finally {
    names.release()
  }
}

/**
 * Jobs of one kind in one transaction; returns those that must not be in it together with the others or, where `names` are
 * given, beside another transaction of this process.
 */
async function runTogether(
  ctx: Context,
  { run, runAll, sideBySide }: JobDefinition,
  jobs: readonly Job[],
  { leash, names }: { leash: Leash; names?: Names },
): Promise<readonly Job[]> {
  const { runtime, tx } = ctx
  if (runAll) {
    await leash.hold(runAll(contextOf(runtime, jobs[0]!, tx), jobs))
    return []
  }
  const runOne = (job: Job) => leash.hold(run(contextOf(runtime, job, tx), job))
  await fetchAhead(ctx, jobs)
  if (sideBySide && (jobs.length > 1 || names)) {
    byKey(ctx)
    const { chosen, left } = await tellApart(ctx, jobs, sideBySide, names)
    await whenAllAreDone(chosen.map(runOne))
    return left
  }
  for (const job of jobs) await runOne(job)
  return []
}

/** As many as have nothing in common. */
async function tellApart(
  ctx: Context,
  jobs: readonly Job[],
  namesIn: NonNullable<JobDefinition['sideBySide']>,
  inHand?: Names,
): Promise<{ chosen: Job[]; left: Job[] }> {
  const [chosen, left]: [Job[], Job[]] = [[], []]
  const taken = new Set<string>()
  for (const job of jobs) {
    const names = namesIn(await eventOfJob(ctx, job)).map(name => `${job.team_id} ${name}`)
    const isFree = names.every(name => !taken.has(name) && !inHand?.areElsewhere(name))
    for (const name of names) taken.add(name)
    if (isFree) inHand?.take(names)
    ;(isFree ? chosen : left).push(job)
  }
  return { chosen, left }
}

/**
 * What the transactions of this process that hold many records are about just now. One that began with a name another has
 * would wait for its locks, and everything in it.
 */
type Names = {
  take(names: readonly string[]): void
  areElsewhere(name: string): boolean
  release(): void
}
const namesInHand = new WeakMap<Registry, Set<string>>()

function namesOf(registry: Registry): Names {
  let all = namesInHand.get(registry)
  if (!all) namesInHand.set(registry, (all = new Set()))
  const own = new Set<string>()
  return {
    take(names) {
      for (const name of names) {
        own.add(name)
        all.add(name)
      }
    },
    areElsewhere: name => all.has(name) && !own.has(name),
    release() {
      for (const name of own) all.delete(name)
      own.clear()
    },
  }
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
  // What a reaction records is traced by its cause; anything else by its job.
  const origin =
    job.event_id === null ? { request: { id: `job-${job.id}`, ip: null } } : { cause: job.event_id }
  return new Context(runtime, { actor: systemActor, ...team, ...origin }, tx)
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
