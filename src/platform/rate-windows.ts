import { createHmac } from 'node:crypto'
import { isoAt } from './clock.ts'
import type { Context, Runtime } from './context.ts'
import type { Statement } from './database/flush.ts'
import { INSTALLATION_SETTING } from './database/team-setting.ts'
import { tables } from './database/tables.ts'

declare module './context.ts' {
  interface Runtime {
    windows: RateWindows
  }
}

export type Policy = {
  name: string
  quota: number
  windowS: number
  /** Each process counts for itself: of that which asks every process. */
  perProcess?: true
}
/** `used` includes the request just counted, and what other processes had reported by the last exchange. */
export type Count = { used: number; endsAt: number }

export const EXCHANGE_EVERY_MS = 1_000
/** A database that takes longer is not waited for: until it answers again, this process counts alone. */
export const EXCHANGE_TIMEOUT_MS = 500
const EXCHANGED_MAX = 1_000
/**
 * The share of a quota that a process lets through before it must report it. Several processes together let through at most
 * the quota and this share of it per process.
 */
export const UNREPORTED_SHARE = 0.05
const CALLERS_MAX = 50_000
/** Room made at once when the memory is full, so that a flood of addresses is not answered by a sweep each. */
const CALLERS_KEPT = 45_000

type Window = Count & { key: string; unreported: number }

export type RateWindows = {
  /** Counts one request from memory; undefined when the other processes must be asked first. */
  tryCount(policy: Policy, caller: string): Count | undefined
  /** The same, and asks the others where that is needed. */
  count(policy: Policy, caller: string): Promise<Count>
  /** Reports what was counted here, and reads what was counted everywhere. */
  exchange(): Promise<void>
  stop(): Promise<void>
}

/** How much a process may let through of a quota before it reports it. */
export function unreportedMax(quota: number): number {
  return Math.ceil(quota * UNREPORTED_SHARE)
}

/**
 * Fixed windows, counted in memory and exchanged with the other processes through one table: every second, and early when
 * much has been counted since. Only a burst that outruns the exchange waits for it.
 */
export function startRateWindows(runtime: Runtime): RateWindows {
  const windows = new Map<string, Window>()
  const unreported = new Set<Window>()
  let underWay: Promise<void> | undefined
  let turn = Promise.withResolvers<void>()
  /** Whether the last exchange failed: then nobody waits for the next. */
  let alone = false

  function tryCount(policy: Policy, caller: string): Count | undefined {
    const window = windowOf(policy, caller)
    if (window.used >= policy.quota || policy.perProcess) {
      // What is refused is not reported: that the quota is used up is known already, or will be with the last of it.
      return { used: ++window.used, endsAt: window.endsAt }
    }
    const max = unreportedMax(policy.quota)
    if (window.unreported >= max && !alone) return undefined
    const counted = { used: ++window.used, endsAt: window.endsAt }
    window.unreported++
    unreported.add(window)
    if (window.unreported * 2 >= max && !alone) void exchange()
    return counted
  }

  async function count(policy: Policy, caller: string): Promise<Count> {
    for (;;) {
      const counted = tryCount(policy, caller)
      if (counted) return counted
      const next = turn.promise
      void exchange()
      await next
    }
  }

  function windowOf({ name, windowS }: Policy, caller: string): Window {
    const now = runtime.clock.now()
    const key = `${name}/${caller}`
    const known = windows.get(key)
    if (known && known.endsAt > now) return known
    if (windows.size >= CALLERS_MAX) forgetOldest()
    // Removed first, so that the map stays in the order in which windows began.
    windows.delete(key)
    const window = { key, used: 0, unreported: 0, endsAt: now + windowS * 1000 }
    windows.set(key, window)
    return window
  }

  /** Even a flood of addresses does not grow the map without end: the oldest, which are mostly over, give way. */
  function forgetOldest(): void {
    for (const [key, window] of windows) {
      if (windows.size <= CALLERS_KEPT) break
      windows.delete(key)
      unreported.delete(window)
    }
  }

  function exchange(): Promise<void> {
    // Ended before the turn: who waited for it and is not let through yet begins the next one.
    underWay ??= send().finally(() => {
      underWay = undefined
      endTurn()
    })
    return underWay
  }

  async function send(): Promise<void> {
    const batch = nextBatch()
    if (batch.size === 0) return
    const late = setTimeout(() => {
      alone = true
      endTurn()
    }, EXCHANGE_TIMEOUT_MS)
    try {
      const statement = reportOf([...batch], runtime.clock.now())
      const results = await runtime.pool.flush([INSTALLATION_SETTING, statement])
      for (const row of results.at(-1)!.rows as WindowRow[]) {
        const { window, sent } = batch.get(row.caller)!
        window.unreported -= sent
        window.used = row.used + window.unreported
        window.endsAt = Date.parse(row.ends_at)
        if (window.unreported > 0) unreported.add(window)
      }
      alone = false
    } catch (error) {
      for (const { window } of batch.values()) unreported.add(window)
      if (!alone) runtime.log.warn({ err: error }, 'rate limits count per process until the database is back')
      alone = true
    } finally {
      clearTimeout(late)
    }
  }

  function endTurn(): void {
    turn.resolve()
    turn = Promise.withResolvers<void>()
  }

  /** Those that have waited longest, by the name they have in the table. */
  function nextBatch(): Batch {
    const now = runtime.clock.now()
    const batch: Batch = new Map()
    for (const window of unreported) {
      if (batch.size === EXCHANGED_MAX) break
      unreported.delete(window)
      if (window.endsAt > now) batch.set(hidden(window.key), { window, sent: window.unreported })
    }
    return batch
  }

  function hidden(key: string): string {
    const [secret = ''] = runtime.settings.sessionSecrets
    return createHmac('sha256', secret).update(`rate ${key}`).digest('base64url')
  }

  const timer = setInterval(() => void exchange(), EXCHANGE_EVERY_MS)
  timer.unref()
  return {
    tryCount,
    count,
    exchange,
    async stop() {
      clearInterval(timer)
      await underWay
    },
  }
}

export async function pruneRateWindows(ctx: Context): Promise<number> {
  return ctx.run(db.deleteFrom('rate_windows').where('ends_at', '<', ctx.now()))
}

type WindowRow = { caller: string; used: number; ends_at: string }
const db = tables<{ rate_windows: WindowRow }>()
type Batch = Map<string, { window: Window; sent: number }>

/**
 * Locked in the order of callers, so that two processes never wait for each other in a circle. Of two windows that overlap,
 * the earlier end counts: a clock that was ahead cannot lock a caller out for long.
 */
function reportOf(batch: readonly [string, { window: Window; sent: number }][], now: number): Statement {
  return {
    text: `insert into rate_windows as known (caller, used, ends_at)
      select * from unnest($1::text[], $2::integer[], $3::timestamptz[]) as told (caller, used, ends_at) order by caller
      on conflict (caller) do update set
        used = case when known.ends_at <= $4 then excluded.used else known.used + excluded.used end,
        ends_at = case when known.ends_at <= $4 then excluded.ends_at else least(known.ends_at, excluded.ends_at) end
      returning caller, used, ends_at`,
    values: [
      batch.map(([caller]) => caller),
      batch.map(([, { sent }]) => sent),
      batch.map(([, { window }]) => isoAt(window.endsAt)),
      isoAt(now),
    ],
  }
}
