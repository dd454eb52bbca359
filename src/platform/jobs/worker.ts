import { systemContext, type Runtime } from '../context.ts'
import { newId } from '../ids.ts'
import { startLane } from './lane.ts'
import {
  AHEAD_MAX,
  CONCURRENCY,
  HEARTBEAT_MS,
  LEASE_MS,
  OUTGOING_CONCURRENCY,
  POLL_MS,
  STRAY_LEASES_MS,
  WAKE_SPACING_MS,
} from './limits.ts'
import { openLine } from './line.ts'
import { lookForWork } from './look.ts'
import { extendLeases, followClockBack, freeStrayLeases } from './queue.ts'
import { Suspicion } from './suspicion.ts'

export type WorkerStats = { done: number; failed: number; dead: number; inHand: number }

export type Worker = {
  wake(): void
  /** Stops taking work, finishes what runs, hands the rest back. */
  stop(): Promise<void>
  /** When what it asks the database for just now, if anything, is in hand. */
  claimed(): Promise<void>
  /** How many jobs it has ever taken. */
  taken(): number
  stats(): WorkerStats
}

export type WorkerOptions = {
  concurrency?: number
  outgoingConcurrency?: number
  /** How many jobs inside it may keep waiting for a slot. */
  aheadMax?: number
  pollMs?: number
  heartbeatMs?: number
  /** How long a job may run; by default the limits of its lane. */
  timeMaxMs?: number
  /** How long jobs that share a transaction may take together. */
  groupTimeMs?: number
  /** Only jobs of these kinds; all by default. */
  kinds?: readonly string[]
}

/** Claims due jobs and runs them until stopped. Any number of processes may do so on one database. */
export function startWorker(runtime: Runtime, options: WorkerOptions = {}): Worker {
  const {
    concurrency = CONCURRENCY,
    outgoingConcurrency = OUTGOING_CONCURRENCY,
    aheadMax = AHEAD_MAX,
  } = options
  const {
    pollMs = runtime.lookEveryMs ?? POLL_MS,
    heartbeatMs = HEARTBEAT_MS,
    timeMaxMs,
    groupTimeMs,
    kinds,
  } = options
  const line = openLine(runtime.pool)
  const ctx = systemContext({ ...runtime, pool: line })
  const shared = {
    workerId: newId(),
    suspicion: new Suspicion(),
    ...(timeMaxMs !== undefined && { timeMaxMs }),
    ...(groupTimeMs !== undefined && { groupTimeMs }),
    ...(kinds && { kinds }),
  }
  const inside = startLane(runtime, ctx, { ...shared, lane: 'inside', concurrency, aheadMax })
  const outgoing = startLane(runtime, ctx, {
    ...shared,
    lane: 'outgoing',
    concurrency: outgoingConcurrency,
    // What is taken begins at once, so that after a hold nothing more goes out.
    aheadMax: 0,
  })
  const lanes = [inside, outgoing]
  const stopLooking = lookForWork(ctx, { inside, outgoing }, pollMs, kinds)
  let waking: NodeJS.Timeout | undefined
  let beating: Promise<void> | undefined
  let stopped: Promise<void> | undefined
  let latestMs = runtime.clock.now()
  let strayLookedAt: number | undefined

  const heartbeat = setInterval(() => {
    beating ??= beat().finally(() => (beating = undefined))
  }, heartbeatMs)

  async function beat(): Promise<void> {
    try {
      await keepLeases()
      await followClock()
      await endStrayLeases()
    } catch {
      // The next beat tries again; fencing guards whatever happens meanwhile.
    }
  }

  async function keepLeases(): Promise<void> {
    const inHand = lanes.flatMap(lane => lane.inHand())
    if (inHand.length === 0) return
    const ours = await extendLeases(ctx, inHand)
    const lost = new Set(inHand.filter(job => !ours.has(job)))
    if (lost.size > 0) for (const lane of lanes) lane.lost(lost)
  }

  async function followClock(): Promise<void> {
    const nowMs = runtime.clock.now()
    if (nowMs < latestMs - LEASE_MS) {
      const count = await followClockBack(ctx)
      runtime.log.warn({ ms: latestMs - nowMs, jobs: count }, 'the clock was set back')
    }
    latestMs = nowMs
  }

  async function endStrayLeases(): Promise<void> {
    const nowMs = performance.now()
    if (strayLookedAt !== undefined && nowMs - strayLookedAt < STRAY_LEASES_MS) return
    const count = await freeStrayLeases(ctx)
    strayLookedAt = nowMs
    if (count > 0) runtime.log.warn({ jobs: count }, 'jobs were leased by a clock that was ahead')
  }

  async function stop(): Promise<void> {
    clearTimeout(waking)
    stopLooking()
    await Promise.all(lanes.map(lane => lane.stop()))
    clearInterval(heartbeat)
    await beating
    await line.close()
  }

  return {
    wake() {
      waking ??= setTimeout(() => {
        waking = undefined
        for (const lane of lanes) lane.wake()
      }, WAKE_SPACING_MS)
    },
    taken: () => inside.taken() + outgoing.taken(),
    claimed: async () => void (await Promise.all(lanes.map(lane => lane.claimed()))),
    stats() {
      const [a, b] = [inside.stats(), outgoing.stats()]
      return {
        done: a.done + b.done,
        failed: a.failed + b.failed,
        dead: a.dead + b.dead,
        inHand: a.inHand + b.inHand,
      }
    },
    stop: () => (stopped ??= stop()),
  }
}
