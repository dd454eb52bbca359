import type { SequenceSettings, Step } from '#domains/sequences/contract.ts'
import {
  addDays,
  addWorkingDays,
  dayOf,
  knownZone,
  nextWithin,
  spanOfDay,
  startOfNextDay,
} from '#platform/zone.ts'

const FALLBACK_ZONE = 'UTC'

/** Where the lead is, as far as is known. */
export function zoneOf(lead: { timezone: string | null } | undefined, settings: SequenceSettings): string {
  return knownZone(lead?.timezone) ?? knownZone(settings.timezone) ?? FALLBACK_ZONE
}

/** When a step falls due that follows something done at this time. */
export function dueAfter(
  ms: number,
  step: Step | undefined,
  settings: SequenceSettings,
  zone: string,
): number {
  const days = step?.delay_days ?? 0
  return settings.delay_unit === 'working_days' ? addWorkingDays(ms, days, zone) : addDays(ms, days, zone)
}

/** The zone whose days the cap counts. */
export function capZone(settings: SequenceSettings): string {
  return knownZone(settings.timezone) ?? FALLBACK_ZONE
}

/**
 * When the n-th message of a day goes out, so that a day's cap is spread over the day or over its sending window. Never
 * before now.
 */
export function slotAt(nowMs: number, place: number, settings: SequenceSettings): number {
  const zone = capZone(settings)
  const span = spanOfDay(nowMs, settings.window, zone)
  if (!span) return nowMs
  const each = (span.until - span.from) / settings.daily_cap!
  return Math.max(nowMs, Math.round(span.from + place * each))
}

/** The day of the cap that this moment belongs to. */
export function capDay(nowMs: number, settings: SequenceSettings): string {
  return dayOf(nowMs, capZone(settings))
}

/** When the next day of the cap begins, or its sending window opens. */
export function nextCapDay(nowMs: number, settings: SequenceSettings): number {
  const zone = capZone(settings)
  const morning = startOfNextDay(nowMs, zone)
  return settings.window ? nextWithin(morning, settings.window, zone) : morning
}
