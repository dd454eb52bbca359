import type { Context, Runtime } from '../context.ts'
import { isConnectionLoss } from '../database/pool.ts'
import { claimDue, claimInTurns, giveBackClaims, type Lane } from './claim.ts'
import {
  AHEAD_MIN,
  backoffMs,
  CLAIM_RETRY_MS,
  ERROR_LENGTH_MAX,
  GROUP_MAX,
  LARGE_GROUP,
  LARGE_GROUPS_AT_ONCE,
  LEASE_MS,
  LOST_CLAIMS_MAX,
  QUICK_BATCH_MS,
  SLOW_BATCH_MS,
  SUSPECT_WAIT_MS,
  TRIES_MAX,
  WARY_CLAIM,
} from './limits.ts'
import { Pace } from './pace.ts'
import { bury, handBack, isFenced, retryLater, type Job } from './queue.ts'
import { buryJob, runJobs, type RunOptions } from './run.ts'
import type { Suspicion } from './suspicion.ts'

export type LaneOptions = Omit<RunOptions, 'inline'> & {
  lane: Lane
  workerId: string
  concurrency: number
  /** How many may be in hand beyond those that run, so that a slot that becomes free need not wait for a claim. */
  aheadMax: number
  /** How long jobs that share a transaction may take together. */
  groupTimeMs?: number
  /** Of the whole worker: its lanes die together. */
  suspicion: Suspicion
}

export type LaneStats = { done: number; failed: number; dead: number; inHand: number }

/** Takes due jobs of one lane and runs them, some at a time, until stopped. */
export type RunningLane = {
  /** There may be work to take. Without it nothing is asked of the database. */
  wake(): void
  /** Whether it has something to ask although nothing is due. */
  isUnsure(): boolean
  inHand(): Job[]
  /** When what it asks the database for just now, if anything, is in hand. */
  claimed(): Promise<void>
  /** How many it has ever taken. */
  taken(): number
  /** Jobs that were lost to another worker: those that wait are not begun, those that run are refused at their commit. */
  lost(jobs: ReadonlySet<Job>): void
  stats(): LaneStats
  stop(): Promise<void>
}

/** `ctx` speaks over the worker's own connection; `runtime` is what the jobs get. */
export function startLane(runtime: Runtime, ctx: Context, options: LaneOptions): RunningLane {
  const { lane, workerId, concurrency, aheadMax, suspicion, kinds } = options
  const waiting: Job[] = []
  const running = new Set<Job>()
  const runs = new Set<Promise<void>>()
  const alone = new WeakSet<Job>()
  const pace = new Pace(options.groupTimeMs)
  const counts = { done: 0, failed: 0, dead: 0 }
  /** The claims whose answer never came, and until when it is worth asking what they took. */
  const unanswered = new Map<string, number>()
  let claims = 0
  let taken = 0
  let claiming: Promise<void> = Promise.resolve()
  let largeGroups = 0
  let ahead = Math.min(AHEAD_MIN, aheadMax)
  let batchBegan = 0
  let backlog = false
  let wary = false
  let nextTeam = ''
  let stopping = false
  let woken = false
  let endRest = () => {}

  const loop = claimForever()

  async function claimForever(): Promise<void> {
    while (!stopping) {
      if (room() > 0) await (claiming = claim(wary ? Math.min(room(), WARY_CLAIM) : room()))
      startRuns()
      if (!backlog || room() === 0) await rest()
    }
  }

  /** As many as may be taken now. Where jobs may wait in hand, it is worth a claim when half of them have gone. */
  function room(): number {
    const free = concurrency - runs.size + ahead - waiting.length
    return free < Math.max(1, ahead / 2) ? 0 : free
  }

  async function claim(count: number): Promise<void> {
    const owner = `${workerId}${lane[0]}${++claims}`
    try {
      await giveBackUnanswered()
      const jobs = await take(owner, count)
      taken += jobs.length
      // A full batch means a backlog: from then on teams take turns, so that a large one holds up nobody.
      backlog = jobs.length === count
      if (backlog) fitAhead()
      const { fit, toWait } = suspicion.sort(await fitToRun(jobs))
      waiting.push(...fit)
      await putOff(toWait)
    } catch (error) {
      if (!isConnectionLoss(error)) runtime.log.error({ err: error, lane }, 'claiming jobs failed')
      await rest(CLAIM_RETRY_MS)
    }
  }

  async function take(owner: string, count: number): Promise<Job[]> {
    try {
      return backlog ? await claimTurn(owner, count) : await claimDue(ctx, lane, owner, count, kinds)
    } catch (error) {
      if (isConnectionLoss(error)) unanswered.set(owner, performance.now() + LEASE_MS)
      throw error
    }
  }

  /**
   * Jobs whose claim got lost with a response have no worker: they need not wait for the end of a lease no
   * one knows of.
   */
  async function giveBackUnanswered(): Promise<void> {
    if (unanswered.size === 0) return
    await giveBackClaims(ctx, lane, [...unanswered.keys()])
    // A server that was slow may yet come to what it was asked for.
    for (const [owner, until] of unanswered) if (performance.now() > until) unanswered.delete(owner)
  }

  /** Quick jobs are taken in large batches; of slow ones few are kept waiting here, because others may be idle. */
  function fitAhead(): void {
    const now = performance.now()
    const tookMs = now - batchBegan
    batchBegan = now
    if (tookMs < QUICK_BATCH_MS) ahead = Math.min(ahead * 2, aheadMax)
    if (tookMs > SLOW_BATCH_MS) ahead = Math.max(Math.min(AHEAD_MIN, aheadMax), Math.floor(ahead / 2))
  }

  async function claimTurn(owner: string, count: number): Promise<Job[]> {
    const { jobs, next } = await claimInTurns(ctx, lane, owner, count, nextTeam, kinds)
    nextTeam = next
    return jobs
  }

  async function fitToRun(jobs: Job[]): Promise<Job[]> {
    const worn = jobs.filter(isWorn)
    const astray = jobs.filter(isAstray)
    if (worn.length + astray.length === 0) return jobs
    for (const job of worn) await giveUp(job, 'every worker that ran it stopped before it finished')
    await handBack(ctx, astray, { outgoing: lane === 'inside' })
    return jobs.filter(job => !worn.includes(job) && !astray.includes(job))
  }

  /** Those that may have killed a worker, while another of them is watched. */
  async function putOff(suspects: Job[]): Promise<void> {
    wary = suspects.length > 0
    if (wary) backlog = false
    await handBack(ctx, suspects, { run_at: ctx.in(SUSPECT_WAIT_MS) })
  }

  function isWorn(job: Job): boolean {
    return job.lost > LOST_CLAIMS_MAX
  }

  /** Written by a release that knew the kind as one of the other lane. */
  function isAstray(job: Job): boolean {
    const definition = runtime.registry.job(job.kind)
    return (
      definition !== undefined && !isWorn(job) && (definition.outgoing ?? false) !== (lane === 'outgoing')
    )
  }

  function startRuns(): void {
    while (!stopping && runs.size < concurrency) {
      const next = nextToRun()
      if (next === -1) return
      const group = takeGroup(next)
      const isLarge = group.reduce((sum, job) => sum + weightOf(job), 0) >= LARGE_GROUP
      if (isLarge) largeGroups++
      const run: Promise<void> = runGroup(group).finally(() => {
        runs.delete(run)
        if (isLarge) largeGroups--
        startRuns()
        if (backlog && room() > 0) wake()
      })
      runs.add(run)
    }
  }

  /** Where there are large groups enough, what would go with others waits to be one of the next. */
  function nextToRun(): number {
    if (largeGroups < LARGE_GROUPS_AT_ONCE) return waiting.length > 0 ? 0 : -1
    return waiting.findIndex(job => !isForMany(job))
  }

  /** The job that waits longest, and those of its kind and team that may go with it. */
  function takeGroup(at: number): Job[] {
    const [first] = waiting.splice(at, 1) as [Job]
    let left = mayShare(first) ? groupSize(first) - weightOf(first) : 0
    if (left <= 0 || waiting.length === 0) return [first]
    const group = [first]
    const others: Job[] = []
    for (const job of waiting) {
      const fits = weightOf(job) <= left && mayShare(job)
      const joins = fits && job.kind === first.kind && job.team_id === first.team_id
      if (joins) left -= weightOf(job)
      ;(joins ? group : others).push(job)
    }
    waiting.splice(0, waiting.length, ...others)
    return group
  }

  /** What is done for many at once costs hardly more than for one. */
  function groupSize({ kind }: Job): number {
    return isForMany({ kind }) ? (runtime.registry.job(kind)?.groupMax ?? GROUP_MAX) : pace.groupSize(kind)
  }

  function weightOf(job: Job): number {
    return runtime.registry.job(job.kind)?.weight?.(job) ?? 1
  }

  function isForMany({ kind }: Pick<Job, 'kind'>): boolean {
    const definition = runtime.registry.job(kind)
    return definition?.runAll !== undefined || definition?.sideBySide !== undefined
  }

  function mayShare(job: Job): boolean {
    const isForOne = runtime.registry.job(job.kind)?.alone === true
    return lane === 'inside' && job.attempts === 1 && job.lost === 0 && !isForOne && !alone.has(job)
  }

  async function runGroup(jobs: Job[]): Promise<void> {
    const { kind } = jobs[0]!
    const began = performance.now()
    const inline = runtime.registry.job(kind)?.inlineReactions === true && mayShare(jobs[0]!)
    for (const job of jobs) running.add(job)
    try {
      const left = await runJobs(runtime, jobs, { ...options, inline })
      const done = jobs.length - left.length
      counts.done += done
      pace.note(kind, done, performance.now() - began)
      waiting.unshift(...left)
    } catch (error) {
      pace.failed(kind)
      if (jobs.length === 1 && !inline) await settleFailure(jobs[0]!, error)
      else runEachAlone(jobs)
    } finally {
      for (const job of jobs) running.delete(job)
      if (suspicion.release(jobs[0]!)) wake()
    }
  }

  /**
   * One of them failed, or a reaction that ran with them, and nothing of the group was written: each is run for itself, and
   * the good ones succeed.
   */
  function runEachAlone(jobs: Job[]): void {
    for (const job of jobs) alone.add(job)
    waiting.unshift(...jobs)
  }

  async function settleFailure(job: Job, error: unknown): Promise<void> {
    const { id, kind, attempts } = job
    const message = String(error instanceof Error ? error.message : error).slice(0, ERROR_LENGTH_MAX)
    runtime.log.warn({ job: id, kind, attempts, err: error }, 'job failed')
    try {
      // Lost to another worker, which sees to it.
      if (isFenced(error)) return
      if (attempts >= triesMax(job)) await giveUp(job, message)
      else await retryLater(ctx, job, ctx.in(backoffMs(attempts)), message)
    } catch {
      // The database is away: the lease runs out, and the job is claimed again.
    } finally {
      counts.failed++
    }
  }

  async function giveUp(job: Job, message: string): Promise<void> {
    if (runtime.registry.job(job.kind)?.buried) await buryAndTell(job, message)
    else await bury(ctx, job, message)
    counts.dead++
    runtime.log.error({ job: job.id, kind: job.kind, attempts: job.attempts, message }, 'job given up')
  }

  async function buryAndTell(job: Job, message: string): Promise<void> {
    try {
      await buryJob(runtime, job, message)
    } catch (error) {
      if (isConnectionLoss(error)) throw error
      runtime.log.error({ err: error, job: job.id, kind: job.kind }, 'reporting a failed job failed')
      await bury(ctx, job, message)
    }
  }

  function triesMax({ kind }: Job): number {
    return runtime.registry.job(kind)?.triesMax ?? TRIES_MAX
  }

  function wake(): void {
    woken = true
    endRest()
  }

  /** Until woken, but not longer. A wake-up that came while nobody rested counts too. */
  async function rest(ms?: number): Promise<void> {
    if (!woken) {
      await new Promise<void>(resolve => {
        const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
        endRest = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    woken = false
  }

  return {
    wake,
    isUnsure: () => unanswered.size > 0,
    inHand: () => [...waiting, ...running],
    taken: () => taken,
    claimed: () => claiming,
    lost(jobs) {
      waiting.splice(0, waiting.length, ...waiting.filter(job => !jobs.has(job)))
      for (const job of jobs) suspicion.release(job)
    },
    stats: () => ({ ...counts, inHand: waiting.length + running.size }),
    async stop() {
      stopping = true
      wake()
      await loop
      await handBack(ctx, waiting.splice(0)).catch(() => {})
      await Promise.all(runs)
      // A group that failed meanwhile has put its jobs back.
      await handBack(ctx, waiting.splice(0)).catch(() => {})
    },
  }
}
