import { Cron } from 'croner'
import { systemContext, type Context, type Runtime } from './context.ts'
import { CLOCK_SKEW_MAX_MS, isoAt } from './clock.ts'
import { isConnectionLoss } from './database/pool.ts'
import { tables } from './database/tables.ts'
import { newId } from './ids.ts'
import type { Counts, ScheduledJob } from './registry.ts'

const LEASE_MS = 30_000
const HEARTBEAT_MS = 10_000
const TICK_MS = 1_000
/** A run that takes longer is left to itself, and the next one begins. */
const RUN_TIME_MAX_MS = 3_600_000
const RUNS_SHOWN = 10
const ERROR_LENGTH_MAX = 2_000

export type ScheduleRow = { name: string; next_at: string; owner: string | null; lease_until: string | null }
export type RunRow = {
  id: string
  name: string
  started_at: string
  finished_at: string | null
  started_by: 'scheduler' | 'route'
  outcome: 'running' | 'done' | 'failed' | 'lost'
  processed: Counts
  error: string | null
}
export type RunResult = {
  job: string
  status: 'done' | 'already_running'
  started_at: string
  finished_at: string | null
  processed: Counts
}

/** Runs the job now unless it is running anywhere. The scheduler and the route both come through here. */
export async function runScheduled(
  ctx: Context,
  job: ScheduledJob,
  startedBy: RunRow['started_by'],
): Promise<RunResult> {
  const run = await begin(ctx, job, startedBy)
  return run ? finishRun(ctx, job, run) : alreadyRunning(ctx, job)
}

/** Looks once a second for jobs whose time has come. A run missed while nothing ran is caught up once. */
export function startScheduler(runtime: Runtime): { stop(): Promise<void> } {
  const ctx = systemContext(runtime)
  const running = new Set<Promise<unknown>>()
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    // A long job holds up no other: they are started, and not waited for.
    for (const job of await dueJobs(ctx)) {
      const run = runDue(ctx, job).finally(() => running.delete(run))
      running.add(run)
    }
  }

  const timer = setInterval(() => {
    looking ??= look().finally(() => (looking = undefined))
  }, TICK_MS)
  return {
    async stop() {
      clearInterval(timer)
      await looking
      await Promise.all(running)
    },
  }
}

/** One look: every job that is due is started; answers when they have ended. */
export async function tick(ctx: Context): Promise<RunResult[]> {
  const results = await Promise.all((await dueJobs(ctx)).map(job => runDue(ctx, job)))
  return results.filter(result => result !== undefined)
}

export async function describeSchedule(ctx: Context, job: ScheduledJob) {
  const row = await ctx.first(db.selectFrom('schedules').selectAll().where('name', '=', job.name))
  const last_runs = await ctx.all(
    db
      .selectFrom('schedule_runs')
      .select(['id', 'started_at', 'finished_at', 'started_by', 'outcome', 'processed', 'error'])
      .where('name', '=', job.name)
      .orderBy('started_at', 'desc')
      .limit(RUNS_SHOWN),
  )
  const running = Boolean(row?.owner && row.lease_until && row.lease_until > ctx.now())
  return {
    job: job.name,
    cron: job.cron,
    route: `/api/cron/${job.name}`,
    next_at: row?.next_at ?? nextSlot(job, ctx.now()),
    running,
    last_runs,
  }
}

/** Forgets runs that ended long ago. */
export async function pruneRuns(ctx: Context, before: string): Promise<number> {
  return ctx.run(db.deleteFrom('schedule_runs').where('started_at', '<', before))
}

const db = tables<{ schedules: ScheduleRow; schedule_runs: RunRow }>()

async function dueJobs(ctx: Context): Promise<ScheduledJob[]> {
  try {
    const rows = await ctx.all(db.selectFrom('schedules').selectAll())
    const rowOf = new Map(rows.map(row => [row.name, row]))
    const due: ScheduledJob[] = []
    for (const job of ctx.runtime.registry.scheduled) {
      const row = rowOf.get(job.name)
      if (!row) await ensureRow(ctx, job)
      else if (isDue(ctx, row)) due.push(job)
      else if (row.next_at > nextSlot(job, ctx.in(CLOCK_SKEW_MAX_MS))) await bringForward(ctx, job, row)
    }
    return due
  } catch (error) {
    if (!isConnectionLoss(error)) ctx.log.error({ err: error }, 'looking for scheduled jobs failed')
    return []
  }
}

/** The first start has missed nothing: the first slot is the next one. */
async function ensureRow(ctx: Context, job: ScheduledJob): Promise<void> {
  await ctx.run(
    db
      .insertInto('schedules')
      .values({ name: job.name, next_at: nextSlot(job, ctx.now()), owner: null, lease_until: null })
      .onConflict(conflict => conflict.column('name').doNothing()),
  )
}

/** Its slot has come, or a run of it was abandoned: the process died, and its lease ran out. */
function isDue(ctx: Context, { owner, lease_until, next_at }: ScheduleRow): boolean {
  if (owner === null) return next_at <= ctx.now()
  return lease_until! <= ctx.now() || lease_until! > ctx.in(LEASE_MS + CLOCK_SKEW_MAX_MS)
}

/** The clock was set back, or a release changed the slots: the next one is sooner than was written down. */
async function bringForward(ctx: Context, job: ScheduledJob, { next_at }: ScheduleRow): Promise<void> {
  const query = db
    .updateTable('schedules')
    .set({ next_at: nextSlot(job, ctx.now()) })
    .where('name', '=', job.name)
  await ctx.run(query.where('next_at', '=', next_at))
}

async function runDue(ctx: Context, job: ScheduledJob): Promise<RunResult | undefined> {
  try {
    return await runScheduled(ctx, job, 'scheduler')
  } catch (error) {
    if (!isConnectionLoss(error)) ctx.log.error({ err: error, job: job.name }, 'scheduled job failed')
    return undefined
  }
}

type Run = Pick<RunRow, 'id' | 'name' | 'started_at' | 'started_by'> & { token: string }

/** Takes the lease and notes the run, or neither. */
async function begin(
  ctx: Context,
  job: ScheduledJob,
  started_by: RunRow['started_by'],
): Promise<Run | undefined> {
  await ensureRow(ctx, job)
  const run = { id: ctx.newId(), name: job.name, started_at: ctx.now(), started_by }
  const token = newId()
  return ctx.transaction(async ctx => {
    if (!(await takeLease(ctx, job, token, started_by))) return undefined
    const runs = db.updateTable('schedule_runs').set({ outcome: 'lost', finished_at: ctx.now() })
    ctx.later(runs.where('name', '=', job.name).where('outcome', '=', 'running'))
    const unknown = { finished_at: null, outcome: 'running' as const, processed: asJson({}), error: null }
    ctx.later(db.insertInto('schedule_runs').values({ ...run, ...unknown }))
    return { ...run, token }
  })
}

async function takeLease(
  ctx: Context,
  job: ScheduledJob,
  token: string,
  startedBy: RunRow['started_by'],
): Promise<boolean> {
  let query = db
    .updateTable('schedules')
    .set({ owner: token, lease_until: ctx.in(LEASE_MS) })
    .where('name', '=', job.name)
    .where(eb =>
      eb.or([
        eb('owner', 'is', null),
        eb('lease_until', '<=', ctx.now()),
        eb('lease_until', '>', ctx.in(LEASE_MS + CLOCK_SKEW_MAX_MS)),
      ]),
    )
  if (startedBy === 'scheduler') {
    // The first scheduler to take the slot uses it up, so that two run it once.
    query = query
      .set({ next_at: nextSlot(job, ctx.now()) })
      .where(eb => eb.or([eb('owner', 'is not', null), eb('next_at', '<=', ctx.now())]))
  }
  return (await ctx.run(query)) === 1
}

async function finishRun(ctx: Context, job: ScheduledJob, run: Run): Promise<RunResult> {
  const began = performance.now()
  const heartbeat = setInterval(() => {
    if (performance.now() - began < RUN_TIME_MAX_MS) void extend(ctx, run)
  }, HEARTBEAT_MS)
  try {
    const processed = await job.run(ctx)
    await finish(ctx, run, { outcome: 'done', processed })
    return { job: job.name, status: 'done', started_at: run.started_at, finished_at: ctx.now(), processed }
  } catch (error) {
    const message = String((error as Error)?.message ?? error).slice(0, ERROR_LENGTH_MAX)
    await finish(ctx, run, { outcome: 'failed', processed: {}, error: message })
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

async function extend(ctx: Context, { name, token }: Run): Promise<void> {
  const query = db
    .updateTable('schedules')
    .set({ lease_until: ctx.in(LEASE_MS) })
    .where('name', '=', name)
  await ctx.run(query.where('owner', '=', token)).catch(() => {})
}

type Ending = { outcome: 'done' | 'failed'; processed: Counts; error?: string }

/** Only who still holds the lease ends the run; a run that outlived its lease is told apart as lost. */
async function finish(
  ctx: Context,
  { id, name, token }: Run,
  { outcome, processed, error }: Ending,
): Promise<void> {
  await ctx.transaction(async ctx => {
    const free = db.updateTable('schedules').set({ owner: null, lease_until: null })
    const ours = await ctx.run(free.where('name', '=', name).where('owner', '=', token))
    const told = ours === 1 ? outcome : ('lost' as const)
    const ended = {
      finished_at: ctx.now(),
      outcome: told,
      processed: asJson(processed),
      error: error ?? null,
    }
    ctx.later(db.updateTable('schedule_runs').set(ended).where('id', '=', id))
  })
}

async function alreadyRunning(ctx: Context, job: ScheduledJob): Promise<RunResult> {
  const run = await ctx.first(
    db
      .selectFrom('schedule_runs')
      .select('started_at')
      .where('name', '=', job.name)
      .where('outcome', '=', 'running')
      .orderBy('started_at', 'desc')
      .limit(1),
  )
  return {
    job: job.name,
    status: 'already_running',
    started_at: run?.started_at ?? ctx.now(),
    finished_at: null,
    processed: {},
  }
}

function nextSlot(job: ScheduledJob, after: string): string {
  const next = new Cron(job.cron, { timezone: 'UTC' }).nextRun(new Date(after))
  if (!next) throw new Error(`${job.cron} never occurs`)
  return isoAt(next.getTime())
}

function asJson(counts: Counts): Counts {
  return JSON.stringify(counts) as unknown as Counts
}
