/** Times as the people of a place read them off the wall. Days with a clock change included: nothing here adds 24 hours. */

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Clocks change on the quarter of an hour: within one, the distance to UTC stays the same. */
const STEADY_MS = 15 * MINUTE_MS
const DAYS_LOOKED_AHEAD = 14

/** 1 is Monday. */
export type Weekday = number

/** Some days of the week between two times of the day, like `09:00` and `17:00`. */
export type Window = { days: readonly Weekday[]; from: string; until: string }

/** The wall clock of a zone, as if it were UTC: good for reading off days and hours, and for counting in days. */
export function wallTime(ms: number, zone: string): Date {
  return new Date(ms + offsetMs(ms, zone))
}

/**
 * The instant at which the wall clock shows this. A time that is left out in spring is the moment at which the clock
 * jumps over it; of one that comes twice in autumn it is the first.
 */
export function instantOf(wallMs: number, zone: string): number {
  const before = offsetMs(wallMs - DAY_MS, zone)
  const after = offsetMs(wallMs + DAY_MS, zone)
  for (const offset of before >= after ? [before, after] : [after, before]) {
    const ms = wallMs - offset
    if (offsetMs(ms, zone) === offset) return ms
  }
  return jumpBetween(wallMs - Math.max(before, after), wallMs - Math.min(before, after), zone)
}

/** The same time of day so many days later. */
export function addDays(ms: number, days: number, zone: string): number {
  if (days === 0) return ms
  return instantOf(wallTime(ms, zone).getTime() + days * DAY_MS, zone)
}

/** The same, counting only Monday to Friday. */
export function addWorkingDays(ms: number, days: number, zone: string): number {
  const wall = wallTime(ms, zone)
  for (let left = days; left > 0;) {
    wall.setUTCDate(wall.getUTCDate() + 1)
    if (weekdayOf(wall) <= 5) left--
  }
  return days === 0 ? ms : instantOf(wall.getTime(), zone)
}

/** This moment, if it lies within; else the next at which the window opens. */
export function nextWithin(ms: number, window: Window, zone: string): number {
  const wall = wallTime(ms, zone)
  for (let ahead = 0; ahead <= DAYS_LOOKED_AHEAD; ahead++) {
    const day = startOfDay(wall) + ahead * DAY_MS
    if (!window.days.includes(weekdayOf(new Date(day)))) continue
    const opens = instantOf(day + timeOfDayMs(window.from), zone)
    const closes = instantOf(day + timeOfDayMs(window.until), zone)
    if (ms < closes && opens < closes) return Math.max(ms, opens)
  }
  throw new Error('a window opens at least once a fortnight')
}

/** This moment, unless it lies between these times of the day, which may be on both sides of midnight; then their end. */
export function nextOutside(ms: number, from: string, until: string, zone: string): number {
  const wall = wallTime(ms, zone)
  const day = startOfDay(wall)
  const [begin, end] = [timeOfDayMs(from), timeOfDayMs(until)]
  const now = wall.getTime() - day
  const isWithin = begin <= end ? now >= begin && now < end : now >= begin || now < end
  if (!isWithin) return ms
  const endsTomorrow = begin > end && now >= begin
  return Math.max(ms, instantOf(day + end + (endsTomorrow ? DAY_MS : 0), zone))
}

/** The day on the wall, like `2026-03-29`. */
export function dayOf(ms: number, zone: string): string {
  return wallTime(ms, zone).toISOString().slice(0, 10)
}

/** When a day begins and ends there, or the part of it that lies within a window. Undefined where no part does. */
export function spanOfDay(
  ms: number,
  window: Window | null,
  zone: string,
): { from: number; until: number } | undefined {
  const day = startOfDay(wallTime(ms, zone))
  if (!window) return { from: instantOf(day, zone), until: instantOf(day + DAY_MS, zone) }
  if (!window.days.includes(weekdayOf(new Date(day)))) return undefined
  return {
    from: instantOf(day + timeOfDayMs(window.from), zone),
    until: instantOf(day + timeOfDayMs(window.until), zone),
  }
}

export function startOfNextDay(ms: number, zone: string): number {
  return instantOf(startOfDay(wallTime(ms, zone)) + DAY_MS, zone)
}

/** These times of a day as instants: a day on which the clock changes has what hours it has. */
export function timesOn(
  day: string,
  spans: readonly { from: string; until: string }[],
  zone: string,
): { from: number; until: number }[] {
  const start = Date.parse(day)
  return spans.map(({ from, until }) => ({
    from: instantOf(start + timeOfDayMs(from), zone),
    until: instantOf(start + timeOfDayMs(until), zone),
  }))
}

/** A wall time, as text like `09:30`. */
function timeOfDayMs(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return (hours * 60 + minutes) * MINUTE_MS
}

function startOfDay(wall: Date): number {
  return Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate())
}

function weekdayOf(wall: Date): Weekday {
  return wall.getUTCDay() || 7
}

/** Where the clock jumps between two instants, to the minute. */
function jumpBetween(from: number, until: number, zone: string): number {
  let [low, high] = [from, until]
  const before = offsetMs(low, zone)
  while (high - low > MINUTE_MS) {
    const middle = Math.floor((low + high) / 2 / MINUTE_MS) * MINUTE_MS
    if (middle <= low) break
    if (offsetMs(middle, zone) === before) low = middle
    else high = middle
  }
  return high
}

type Known = { format: Intl.DateTimeFormat; offsets: Map<number, number> }
const zones = new Map<string, Known>()
const OFFSETS_REMEMBERED_MAX = 500

/** How far the wall clock is ahead of UTC. Asking the calendar is dear, and is done once for a quarter of an hour. */
function offsetMs(ms: number, zone: string): number {
  if (zone === 'UTC') return 0
  let known = zones.get(zone)
  if (!known) zones.set(zone, (known = { format: formatFor(zone), offsets: new Map() }))
  const quarter = Math.floor(ms / STEADY_MS)
  let offset = known.offsets.get(quarter)
  if (offset === undefined) {
    if (known.offsets.size >= OFFSETS_REMEMBERED_MAX) known.offsets.clear()
    known.offsets.set(quarter, (offset = readOffset(known.format, quarter * STEADY_MS)))
  }
  return offset
}

function readOffset(format: Intl.DateTimeFormat, ms: number): number {
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
  const { year, month, day, hour, minute, second } = parts as Record<string, number>
  return Date.UTC(year!, month! - 1, day, hour, minute, second) - ms
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
}

const knownZones = new Map<string, boolean>()

/** A zone that this machine knows. Another may have known more. */
export function knownZone(zone: string | null | undefined): string | undefined {
  if (!zone) return undefined
  let is = knownZones.get(zone)
  if (is === undefined) {
    try {
      is = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
    } catch {
      is = false
    }
    knownZones.set(zone, is)
  }
  return is ? zone : undefined
}
