import type { Context, Runtime } from '#platform/context.ts'
import { systemContext } from '#platform/context.ts'
import { enqueue, fence, type Job } from '#platform/jobs/queue.ts'
import { CalendarRefused, CalendarUnavailable, type BusyTime } from '#platform/ports/calendar.ts'
import { isMember } from '#domains/identity/members.ts'
import { availabilityOf } from './availability.ts'
import { replaceBusy } from './busy-store.ts'
import { loginOf, noteFailing, noteWell } from './calendar-state.ts'
import * as store from './connection-store.ts'
import type { ConnectionRow } from './connection-store.ts'
import { SLOT_DAYS_MAX } from './values.ts'

export const READ_JOB = 'meetings.read'
export const READ_EVERY_MS = 5 * 60_000
/** A password that was refused is refused again, and some servers lock out who keeps trying. */
export const REFUSED_EVERY_MS = 60 * 60_000
/** A booking does not wait again and again for a server that just failed to respond. */
const FAILED_RECENTLY_MS = 60_000
const DAY_MS = 86_400_000

/** The regular reading, and the wait for the next one. A wait that is no longer the connection's own ends here. */
export async function readDue(ctx: Context, job: Job): Promise<void> {
  const { user_id } = job.data as { user_id: string }
  const connection = await store.find(ctx, user_id)
  if (connection?.wait_id !== job.id) return
  if (!(await isMember(ctx, user_id))) return void (await store.remove(ctx, user_id))
  const read = await readFrom(ctx, connection)
  await ctx.transaction(async ctx => {
    fence(ctx, job)
    await settle(ctx, connection, read)
    // Meanwhile it may have been let go, or another connected that has a wait of its own.
    if ((await store.lock(ctx, user_id))?.wait_id === job.id)
      waitForNext(ctx, user_id, read instanceof CalendarRefused ? REFUSED_EVERY_MS : READ_EVERY_MS)
  })
}

/** Its attempts are used up because of our own error, not the calendar's: reading continues anyway. */
export async function readLater(ctx: Context, job: Job): Promise<void> {
  const { user_id } = job.data as { user_id: string }
  const connection = await store.lock(ctx, user_id)
  if (connection?.wait_id === job.id) waitForNext(ctx, user_id, REFUSED_EVERY_MS)
}

/** Answers the job that reads next. */
export function waitForNext(ctx: Context, user_id: string, waitMs: number): string {
  const wait_id = enqueue(ctx, { kind: READ_JOB, data: { user_id }, run_at: ctx.in(waitMs) })
  store.update(ctx, user_id, { wait_id })
  return wait_id
}

type Freshness = { maxAgeMs: number; timeoutMs: number }

/**
 * Makes sure that what is known of the host's calendar is no older than this, if it answers in time. Never throws: what was
 * read last counts while it does not answer. It reads in a context of its own, whatever the caller is in the middle of.
 */
export async function refreshBusy(
  { runtime, team_id }: Context,
  host_id: string,
  { maxAgeMs, timeoutMs }: Freshness,
): Promise<void> {
  const ctx = systemContext(runtime, team_id)
  try {
    const connection = await store.find(ctx, host_id)
    if (connection && !isRecent(ctx, connection, maxAgeMs))
      await atMost(timeoutMs, readOnce(ctx, connection, timeoutMs))
  } catch (error) {
    runtime.log.warn({ err: error, host_id }, 'reading a calendar failed')
  }
}

function isRecent(ctx: Context, { read_at, tried_at, state }: ConnectionRow, maxAgeMs: number): boolean {
  const isSince = (at: string | null, ageMs: number) => at !== null && at > ctx.in(-ageMs)
  return isSince(read_at, maxAgeMs) || (state === 'FAILING' && isSince(tried_at, FAILED_RECENTLY_MS))
}

const underWay = new WeakMap<Runtime, Map<string, Promise<void>>>()

/** Any number who want to know at once are answered by one reading. */
function readOnce(ctx: Context, connection: ConnectionRow, timeoutMs: number): Promise<void> {
  let readings = underWay.get(ctx.runtime)
  if (!readings) underWay.set(ctx.runtime, (readings = new Map()))
  const key = `${ctx.team_id} ${connection.user_id}`
  let reading = readings.get(key)
  if (!reading) {
    reading = readNow(ctx, connection, timeoutMs).finally(() => readings.delete(key))
    readings.set(key, reading)
    // The caller that waited may have left by the time it fails.
    reading.catch(() => {})
  }
  return reading
}

async function readNow(ctx: Context, connection: ConnectionRow, timeoutMs: number): Promise<void> {
  const read = await readFrom(ctx, connection, timeoutMs)
  await ctx.transaction(ctx => settle(ctx, connection, read))
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

type Read = BusyTime[] | CalendarRefused | CalendarUnavailable

async function readFrom(ctx: Context, connection: ConnectionRow, timeoutMs?: number): Promise<Read> {
  const { timezone, horizon_days } = await availabilityOf(ctx, connection.user_id)
  const days = Math.max(horizon_days, SLOT_DAYS_MAX) + 2
  try {
    return await ctx.runtime.ports.calendars.busy(
      loginOf(ctx, connection),
      { from: ctx.in(-DAY_MS), until: ctx.in(days * DAY_MS), zone: timezone },
      timeoutMs === undefined ? {} : { timeoutMs },
    )
  } catch (error) {
    if (error instanceof CalendarRefused || error instanceof CalendarUnavailable) return error
    throw error
  }
}

/** What came of it counts for the calendar that was read, and for no other that was connected meanwhile. */
async function settle(ctx: Context, asked: ConnectionRow, read: Read): Promise<void> {
  const connection = await store.lock(ctx, asked.user_id)
  if (connection?.updated_at !== asked.updated_at) return
  if (read instanceof Error) return noteFailing(ctx, connection, read)
  replaceBusy(ctx, connection.user_id, read)
  await noteWell(ctx, connection)
}
