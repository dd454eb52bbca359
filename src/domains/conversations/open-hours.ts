import { dayOf, startOfNextDay, timesOn } from '#platform/zone.ts'
import type { OpenHours } from '#domains/mailboxes/answer-targets-contract.ts'

const MINUTE_MS = 60_000
const DAYS_LOOKED_AT_MAX = 400

type Hours = { hours: readonly OpenHours[]; timezone: string }

/**
 * The moment so many open minutes after this one. Without any hours it is open all the time; undefined where more than a
 * year of hours is not enough.
 */
export function afterOpenMinutes(
  ms: number,
  minutes: number,
  { hours, timezone }: Hours,
): number | undefined {
  let left = minutes * MINUTE_MS
  if (hours.length === 0) return ms + left
  let from = ms
  for (let days = 0; days < DAYS_LOOKED_AT_MAX; days++) {
    for (const open of openOn(dayOf(from, timezone), { hours, timezone })) {
      const begin = Math.max(open.from, from)
      const length = open.until - begin
      if (length <= 0) continue
      if (left <= length) return begin + left
      left -= length
      from = open.until
    }
    from = startOfNextDay(from, timezone)
  }
  return undefined
}

/** How long it was open between two moments; of a longer time than that, as much as was looked at. */
export function openMsBetween(from: number, until: number, { hours, timezone }: Hours): number {
  if (hours.length === 0) return Math.max(0, until - from)
  let sum = 0
  let at = from
  for (let days = 0; days < DAYS_LOOKED_AT_MAX && at < until; days++) {
    for (const open of openOn(dayOf(at, timezone), { hours, timezone }))
      sum += Math.max(0, Math.min(open.until, until) - Math.max(open.from, at))
    at = startOfNextDay(at, timezone)
  }
  return sum
}

export function isOpenAt(ms: number, { hours, timezone }: Hours): boolean {
  return openOn(dayOf(ms, timezone), { hours, timezone }).some(({ from, until }) => from <= ms && ms < until)
}

/** The open times of a day in their order, without overlaps. */
function openOn(day: string, { hours, timezone }: Hours): { from: number; until: number }[] {
  const weekday = new Date(day).getUTCDay() || 7
  const own = hours.filter(span => span.day === weekday)
  const spans = timesOn(day, own, timezone).toSorted((a, b) => a.from - b.from)
  let end = 0
  return spans.flatMap(({ from, until }) => {
    const begin = Math.max(from, end)
    end = Math.max(end, until)
    return begin < until ? [{ from: begin, until }] : []
  })
}
