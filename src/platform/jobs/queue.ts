import { sql, type Compilable } from 'kysely'
import { CLOCK_SKEW_MAX_MS } from '../clock.ts'
import type { Context } from '../context.ts'
import { raw, tables, written } from '../database/tables.ts'
import { LEASE_MS } from './limits.ts'
import { markOf } from './marks.ts'

/**
 * Every wait of the product is a row of this table: a reaction to run now, a step due in three days, a retry.
 * `run_at` is when it is due or, while a worker owns it, when its lease ends; partial indexes serve both, so that
 * sleeping rows cost nothing. `owner` is the fencing token: who holds another token writes nothing.
 */
export type JobRow = {
  id: string
  kind: string
  team_id: string
  event_id: string | null
  data: unknown
  run_at: string
  owner: string | null
  /** Its own failed attempts, including the current one. */
  attempts: number
  /** How often its worker died, or froze, with the job in hand. */
  lost: number
  state: 'ready' | 'dead'
  /** Its lane: work that reaches outside never holds up the rest. */
  outgoing: boolean
  last_error: string | null
  failed_at: string | null
  created_at: string
  /** On a cluster: what shows that the rows it is about can be read (marks.ts). */
  mark: string | null
}

/** A job in a worker's hand. */
export type Job = Pick<JobRow, 'id' | 'kind' | 'team_id' | 'event_id' | 'data' | 'attempts' | 'lost'> & {
  owner: string
  mark?: string | null
}

/** Work of the installation itself belongs to no team. */
export const NO_TEAM = ''

export type NewJob = { kind: string; team_id?: string; event_id?: string; data?: unknown; run_at?: string }

/** Adds work in the transaction of what causes it. */
export function enqueue(ctx: Context, job: NewJob): string {
  const row = markedRow(ctx, job)
  reachOf(ctx, [row]).later(insertJobs([row]))
  if (row.run_at <= ctx.now()) ctx.afterCommit(ctx.runtime.wakeWorker)
  return row.id
}

/** Many at once, in one statement. */
export function enqueueAll(ctx: Context, jobs: readonly NewJob[]): void {
  if (jobs.length === 0) return
  const rows = jobs.map(job => markedRow(ctx, job))
  reachOf(ctx, rows).later(insertJobs(rows))
  if (rows.some(({ run_at }) => run_at <= ctx.now())) ctx.afterCommit(ctx.runtime.wakeWorker)
}

/** A team writes its own work. Some work is for another team, or for the installation. */
function reachOf(ctx: Context, rows: readonly { team_id: string }[]): Context {
  const own = ctx.hasTeam ? ctx.team_id : undefined
  return rows.every(({ team_id }) => team_id === own) ? ctx : ctx.acrossTeams()
}

function markedRow(ctx: Context, job: NewJob): ReturnType<typeof jobRow> {
  const row = jobRow(ctx, job)
  const isOfTeam = row.event_id === null && ctx.hasTeam && row.team_id === ctx.team_id
  return isOfTeam ? { ...row, mark: markOf(ctx) } : row
}

export function jobRow(ctx: Context, { kind, team_id, event_id, data, run_at }: NewJob) {
  const now = ctx.now()
  return {
    id: ctx.newId(),
    kind,
    team_id: team_id ?? (ctx.hasTeam ? ctx.team_id : NO_TEAM),
    event_id: event_id ?? null,
    data: data === undefined ? null : JSON.stringify(data),
    run_at: run_at ?? now,
    outgoing: ctx.runtime.registry.job(kind)?.outgoing ?? false,
    created_at: now,
    mark: null as string | null,
  }
}

export function insertJobs(rows: ReturnType<typeof jobRow>[]): Compilable<unknown> {
  const column = <Key extends keyof (typeof rows)[number]>(key: Key) => rows.map(row => row[key])
  return raw(sql`insert into jobs (id, kind, team_id, event_id, data, run_at, outgoing, created_at, mark)
    select * from unnest(${column('id')}::text[], ${column('kind')}::text[], ${column('team_id')}::text[],
      ${column('event_id')}::text[], ${column('data')}::jsonb[], ${column('run_at')}::timestamptz[],
      ${column('outgoing')}::boolean[], ${column('created_at')}::timestamptz[], ${column('mark')}::text[])`)
}

/**
 * The same for reactions that the team itself has set up: where nobody listens to the event, there is nothing to do. Answers a row
 * for each job. A function, because an INSERT that adds nothing would still make a commit on a cluster take two phases.
 */
export function insertListenedJobs(rows: readonly (ReturnType<typeof jobRow> & { type: string })[]) {
  return written(
    INSERT_LISTENED_JOBS,
    LISTENED_COLUMNS.map(column => rows.map(row => row[column])),
  )
}
const LISTENED_COLUMNS = [
  'id',
  'kind',
  'team_id',
  'event_id',
  'run_at',
  'outgoing',
  'created_at',
  'type',
] as const
const INSERT_LISTENED_JOBS = `select from add_listened_jobs($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[],
  $6::boolean[], $7::timestamptz[], $8::text[])`

/** Keeps what is in hand, and answers what is still ours: the rest was lost to another worker. */
export async function extendLeases(ctx: Context, jobs: readonly Job[]): Promise<Set<Job>> {
  const until = ctx.runtime.clock.now() + LEASE_MS
  // A row that is locked just now is being ended by its own transaction: waiting for it would help nobody.
  const rows = await ctx.all(
    raw<{ id: string; owner: string }>(sql`update jobs set run_at = ${ctx.in(LEASE_MS)} where id = any(array(
        select jobs.id from ${handed(jobs)} join jobs on jobs.id = held.id and jobs.owner = held.owner
        for update of jobs skip locked))
      returning id, owner`),
  )
  const ours = new Set(rows.map(({ id, owner }) => `${id} ${owner}`))
  const kept = jobs.filter(({ id, owner }) => ours.has(`${id} ${owner}`))
  for (const job of kept) leases.set(job, until)
  return new Set(kept)
}

/** Until when a job is ours as far as we know: told from before the database was asked. */
const leases = new WeakMap<Job, number>()

export function noteLeases(jobs: readonly Job[], until: number): void {
  for (const job of jobs) leases.set(job, until)
}

/**
 * Whether the job can be nobody else's yet. For the last moment before something leaves the house that no transaction
 * takes back: a process that was frozen finds its lease over, without asking anybody.
 */
export function holdsLease(ctx: Context, job: Job): boolean {
  return ctx.runtime.clock.now() < (leases.get(job) ?? 0)
}

/**
 * Ends the jobs in the transaction of their effect. The database itself refuses when a lease was lost, and with it
 * the whole transaction: a worker that was frozen and woke again writes nothing.
 */
export function completeJobs(ctx: Context, jobs: readonly Job[]): void {
  ctx.later(
    raw(sql`select complete_jobs(${jobs.map(job => job.id)}::text[], ${jobs.map(job => job.owner)}::text[])`),
  )
}

/**
 * For work that reaches outside and keeps transactions of its own: the transaction commits only while the job is
 * still ours.
 */
export function fence(ctx: Context, job: Job): void {
  ctx.beforeCommit(() => [raw(sql`select fence_job(${job.id}, ${job.owner})`)])
}

/** Raised by complete_jobs() and fence_job() when another worker owns the job by now. */
export function isFenced(error: unknown): boolean {
  return (error as { code?: string } | undefined)?.code === 'RP001'
}

export async function retryLater(ctx: Context, job: Job, run_at: string, error: string): Promise<void> {
  await ctx.run(
    db
      .updateTable('jobs')
      .set({ owner: null, run_at, last_error: error })
      .where('id', '=', job.id)
      .where('owner', '=', job.owner),
  )
}

/** Tried for the last time: it waits for a person. False when it is no longer ours. */
export async function bury(ctx: Context, job: Job, error: string): Promise<boolean> {
  const buried = await ctx.run(
    db
      .updateTable('jobs')
      .set({ state: 'dead', owner: null, last_error: error, failed_at: ctx.now() })
      .where('id', '=', job.id)
      .where('owner', '=', job.owner),
  )
  return buried > 0
}

/** Gives work back untried, at once or for later. `outgoing` moves it to the other lane. */
export async function handBack(
  ctx: Context,
  jobs: readonly Job[],
  { outgoing, run_at = ctx.now() }: { outgoing?: boolean; run_at?: string } = {},
): Promise<void> {
  if (jobs.length === 0) return
  const lane = outgoing === undefined ? sql`jobs.outgoing` : sql`${outgoing}`
  await ctx.run(
    raw(sql`update jobs set owner = null, run_at = ${run_at}, attempts = jobs.attempts - 1, outgoing = ${lane}
      from ${handed(jobs)} where jobs.id = held.id and jobs.owner = held.owner`),
  )
}

/** A worker that died had got somewhere with the job: it is not what killed the worker. */
export function clearOfSuspicion(ctx: Context, job: Job): void {
  if (job.lost === 0) return
  ctx.later(raw(sql`update jobs set lost = 0 where id = ${job.id} and owner = ${job.owner}`))
}

/**
 * The clock was set back: leases, retries and what was to run at once would sleep for as long as it went back. What
 * was meant to wait waits on, for the time it was given.
 */
export async function followClockBack(ctx: Context): Promise<number> {
  return ctx.run(
    raw(sql`update jobs set run_at = ${ctx.in(LEASE_MS)}
      where state = 'ready' and run_at > ${ctx.in(LEASE_MS)} and (owner is not null or attempts > 0 or lost > 0 or run_at <= created_at)`),
  )
}

/**
 * A lease that ends later than any clock that is right can have said was written by a process whose clock was ahead. If it
 * died, its jobs would wait until then. If it is alive, its next heartbeat extends the lease.
 */
export async function freeStrayLeases(ctx: Context): Promise<number> {
  return ctx.run(
    raw(sql`update jobs set run_at = ${ctx.in(LEASE_MS)}
      where state = 'ready' and owner is not null and run_at > ${ctx.in(LEASE_MS + CLOCK_SKEW_MAX_MS)}`),
  )
}

export const jobsTable = tables<{ jobs: JobRow }>()
const db = jobsTable

function handed(jobs: readonly Job[]) {
  return sql`unnest(${jobs.map(job => job.id)}::text[], ${jobs.map(job => job.owner)}::text[]) as held (id, owner)`
}
