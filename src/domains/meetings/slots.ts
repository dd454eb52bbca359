import { addDays, dayOf, startOfNextDay, timesOn } from '#platform/zone.ts'
import type { Availability } from './contract.ts'
import { SLOT_STEP_MIN } from './values.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** A time from its first to before its last millisecond: what begins when another ends does not overlap it. */
export type Span = { from: number; until: number }

export type Rules = Pick<
  Availability,
  | 'timezone'
  | 'hours'
  | 'exceptions'
  | 'buffer_before_min'
  | 'buffer_after_min'
  | 'notice_min'
  | 'horizon_days'
  | 'per_day_max'
>

/** What blocks a time: the host's meetings, and busy times of another calendar. */
export type Taken = { meetings: readonly Span[]; busy: readonly Span[] }

type Asked = Span & { now: number; duration_min: number }

/** Every start time in this period that the rules offer and nothing blocks. */
export function freeSlots(rules: Rules, taken: Taken, { now, from, until, duration_min }: Asked): Span[] {
  const duration = duration_min * MINUTE_MS
  const earliest = Math.max(from, now + rules.notice_min * MINUTE_MS)
  const latest = Math.min(until, endOfHorizon(rules, now))
  const full = fullDays(rules, taken)
  const isBlocked = blockedBy(rules, taken)
  const begins = new Set<number>()
  for (const day of daysBetween(earliest, latest, rules.timezone)) {
    if (full.has(day)) continue
    for (const open of openingsOn(rules, day))
      for (let begin = open.from; begin + duration <= open.until; begin += SLOT_STEP_MIN * MINUTE_MS)
        if (begin >= earliest && begin < latest) begins.add(begin)
  }
  return [...begins]
    .toSorted((a, b) => a - b)
    .map(begin => ({ from: begin, until: begin + duration }))
    .filter(slot => !isBlocked(slot))
}

/** Whether nothing blocks the time, including buffers; the host's availability rules are not considered. */
export function isFree(rules: Rules, taken: Taken, span: Span): boolean {
  return !blockedBy(rules, taken)(span)
}

/** Whether this very time is on offer. */
export function isOffered(rules: Rules, taken: Taken, span: Span, now: number): boolean {
  const duration_min = (span.until - span.from) / MINUTE_MS
  return freeSlots(rules, taken, { now, from: span.from, until: span.from + 1, duration_min }).length > 0
}

/** Whether the host can be met then: within the hours and the notice, at any minute and however far ahead. */
export function isBookable(rules: Rules, taken: Taken, span: Span, now: number): boolean {
  const day = dayOf(span.from, rules.timezone)
  const isOpen = merged(openingsOn(rules, day)).some(
    ({ from, until }) => from <= span.from && span.until <= until,
  )
  const isInTime = span.from >= now + rules.notice_min * MINUTE_MS
  return isOpen && isInTime && !fullDays(rules, taken).has(day) && isFree(rules, taken, span)
}

/** How far around a time it matters what is taken: the buffers, and the whole day where a day has a limit. */
export function reachOf(rules: Rules, { from, until }: Span): Span {
  const reach = Math.max(rules.buffer_before_min, rules.buffer_after_min) * MINUTE_MS
  const whole = rules.per_day_max === null ? 0 : DAY_MS + DAY_MS / 2
  return { from: from - reach - whole, until: until + reach + whole }
}

/** The day itself is the first, so many days later is the last. */
function endOfHorizon({ timezone, horizon_days }: Rules, now: number): number {
  return startOfNextDay(addDays(now, horizon_days, timezone), timezone)
}

/** Days on which there are as many meetings as the host wants. */
function fullDays({ timezone, per_day_max }: Rules, { meetings }: Taken): Set<string> {
  if (per_day_max === null) return new Set()
  const byDay = Map.groupBy(meetings, ({ from }) => dayOf(from, timezone))
  return new Set([...byDay].filter(([, list]) => list.length >= per_day_max).map(([day]) => day))
}

/**
 * Between two meetings lie the minutes after the one and those before the other; they may be the same minutes. What is in
 * another calendar has no buffers of its own: those of the meeting count.
 */
function blockedBy(rules: Rules, { meetings, busy }: Taken): (span: Span) => boolean {
  const before = rules.buffer_before_min * MINUTE_MS
  const after = rules.buffer_after_min * MINUTE_MS
  const between = Math.max(before, after)
  const blocked = merged([
    ...meetings.map(({ from, until }) => ({ from: from - between, until: until + between })),
    ...busy.map(({ from, until }) => ({ from: from - after, until: until + before })),
  ])
  return ({ from, until }) => {
    const next = blocked[firstThat(blocked, span => span.until > from)]
    return next !== undefined && next.from < until
  }
}

function merged(spans: Span[]): Span[] {
  const apart: Span[] = []
  for (const { from, until } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = apart.at(-1)
    if (last && from <= last.until) last.until = Math.max(last.until, until)
    else apart.push({ from, until })
  }
  return apart
}

function firstThat(spans: readonly Span[], holds: (span: Span) => boolean): number {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(spans[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}

function* daysBetween(from: number, until: number, zone: string): Generator<string> {
  if (from >= until) return
  const last = Date.parse(dayOf(until - 1, zone))
  for (let day = Date.parse(dayOf(from, zone)); day <= last; day += DAY_MS)
    yield new Date(day).toISOString().slice(0, 10)
}

/** When the host can be met on a day. */
function openingsOn({ timezone, hours, exceptions }: Rules, day: string): Span[] {
  const weekday = new Date(day).getUTCDay() || 7
  const spans = exceptions.find(other => other.day === day)?.hours ?? hours.filter(at => at.day === weekday)
  return timesOn(day, spans, timezone)
}
