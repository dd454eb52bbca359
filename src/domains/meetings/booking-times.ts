import type { Context } from '#platform/context.ts'
import { isInstant, isoAt, tidyInstant } from '#platform/clock.ts'
import type { Parameters } from '#platform/contract.ts'
import { dayOf, instantOf } from '#platform/zone.ts'
import { refreshBusy } from './calendar-sync.ts'
import { findSlots } from './free-times.ts'
import { SLOT_DAYS_MAX } from './values.ts'

const DAY_MS = 86_400_000
/** How old what is known of the host's calendar may be when times are shown, and how long a page waits to know more. */
const SHOWN_FRESH = { maxAgeMs: 60_000, timeoutMs: 2_000 }
const OTHERS_MAX = 12

/** Whose times are looked at, and for how long a meeting. */
export type Whose = { host_id: string; duration_min?: number; without?: string }

/** What a guest has picked so far, as the address of the page says it. */
export type Picked = {
  zone: string
  month: string | undefined
  day: string | undefined
  at: string | undefined
}

export type FreeDay = { day: string; times: string[] }

/** A month of the guest's, with what is free in it. */
export type FreeMonth = { month: string; days: FreeDay[]; isFirst: boolean; isLast: boolean }

export function pickedIn(query: Parameters, zone: string): Picked {
  const { month, day, at } = query
  return {
    zone: typeof query.zone === 'string' && isZone(query.zone) ? query.zone : zone,
    month: typeof month === 'string' && /^20\d\d-(?:0[1-9]|1[0-2])$/.test(month) ? month : undefined,
    day: typeof day === 'string' && /^20\d\d-\d\d-\d\d$/.test(day) ? day : undefined,
    at: typeof at === 'string' && isInstant(at) ? tidyInstant(at) : undefined,
  }
}

export function isZone(text: string): boolean {
  if (text.length > 64 || !/^[A-Za-z]/.test(text)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: text }))
  } catch {
    return false
  }
}

/** The month that was asked for, or else the first with something free. */
export async function freeMonth(
  ctx: Context,
  whose: Whose,
  { zone, month, day }: Picked,
  horizon_days: number,
): Promise<FreeMonth> {
  await refreshBusy(ctx, whose.host_id, SHOWN_FRESH)
  const now = ctx.runtime.clock.now()
  const [first, last] = [dayOf(now, zone), dayOf(now + horizon_days * DAY_MS, zone)].map(text =>
    text.slice(0, 7),
  )
  const wanted = month ?? day?.slice(0, 7) ?? (await nextFree(ctx, whose, zone)) ?? first!
  const shown = wanted < first! ? first! : wanted > last! ? last! : wanted
  const slots = await slotsBetween(ctx, whose, startOf(shown, zone), startOf(monthAfter(shown), zone))
  return {
    month: shown,
    days: byDay(slots, zone),
    isFirst: shown === first,
    isLast: shown === last,
  }
}

/** For who came too late: those nearest to the one that is taken. */
export async function otherTimes(ctx: Context, whose: Whose, at: string, zone: string): Promise<FreeDay[]> {
  const now = ctx.runtime.clock.now()
  const wanted = Math.max(now, Date.parse(at))
  const from = Math.max(now, wanted - DAY_MS)
  const slots = await slotsBetween(ctx, whose, from, from + SLOT_DAYS_MAX * DAY_MS)
  const farFrom = (slot: string) => Math.abs(Date.parse(slot) - wanted)
  const nearest = slots.toSorted((a, b) => farFrom(a) - farFrom(b)).slice(0, OTHERS_MAX)
  return byDay(nearest.toSorted(), zone)
}

export function monthAfter(month: string, by = 1): string {
  const [year, count] = month.split('-').map(Number)
  return new Date(Date.UTC(year!, count! - 1 + by)).toISOString().slice(0, 7)
}

async function nextFree(ctx: Context, whose: Whose, zone: string): Promise<string | undefined> {
  const now = ctx.runtime.clock.now()
  const [slot] = await slotsBetween(ctx, whose, now, now + SLOT_DAYS_MAX * DAY_MS)
  return slot && dayOf(Date.parse(slot), zone).slice(0, 7)
}

async function slotsBetween(ctx: Context, whose: Whose, from: number, until: number): Promise<string[]> {
  const { slots } = await findSlots(ctx, { ...whose, from: isoAt(from), until: isoAt(until) })
  return slots.map(({ starts_at }) => starts_at)
}

function startOf(month: string, zone: string): number {
  return instantOf(Date.parse(`${month}-01T00:00:00Z`), zone)
}

function byDay(times: readonly string[], zone: string): FreeDay[] {
  const days = Map.groupBy(times, at => dayOf(Date.parse(at), zone))
  return [...days].map(([day, times]) => ({ day, times }))
}
