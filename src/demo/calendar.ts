import type { Random } from './random.ts'

export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000

const OFFICE_OPENS_HOUR = 7
const OFFICE_CLOSES_HOUR = 16
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const

/** The same day in office hours; what falls on a weekend waits for Monday. */
export function inOfficeHours(random: Random, at: number): number {
  const day = new Date(at)
  const weekday = day.getUTCDay()
  const wait = weekday === 6 ? 2 : weekday === 0 ? 1 : 0
  const minutes = random.whole(OFFICE_OPENS_HOUR * 60, OFFICE_CLOSES_HOUR * 60)
  const midnight = Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() + wait)
  return midnight + minutes * MINUTE_MS + random.whole(0, 59_999)
}

/** So many moments between two, in order, in office hours where that leaves them before the end. */
export function moments(random: Random, from: number, to: number, count: number): number[] {
  const wanted = Array.from({ length: count }, () => random.between(from, to)).toSorted((a, b) => a - b)
  let last = from
  return wanted.map((at, index) => {
    // Each keeps room before the end for those that follow it.
    const latest = to - (count - index) * MINUTE_MS
    last = Math.min(Math.max(inOfficeHours(random, at), last + 3 * MINUTE_MS), Math.max(latest, last + 1))
    return last
  })
}

export function someWeekday(random: Random): string {
  return random.pick(weekdays)
}

export function calendarDate(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

export function monthAndYear(at: number): string {
  return new Date(at).toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
}
