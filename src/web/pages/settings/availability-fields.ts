import type { Availability, AvailabilityChange } from '#domains/meetings/contract.ts'
import { EXCEPTIONS_MAX, HOURS_MAX } from '#domains/meetings/values.ts'
import type { FieldFault } from '../../problem.ts'

export type Range = { from: string; until: string }
export type Exception = { day: string; hours: Range[] }

/** The fields of the form. */
export type AvailabilityFields = Pick<
  Availability,
  | 'active'
  | 'timezone'
  | 'duration_min'
  | 'buffer_before_min'
  | 'buffer_after_min'
  | 'notice_min'
  | 'horizon_days'
  | 'per_day_max'
> & {
  slug: string
  title: string
  location: string
  welcome: string
  /** Monday first; a day without hours is a day off. */
  week: Range[][]
  exceptions: Exception[]
}

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
export const RANGES_MAX = 4
const USUAL: Range = { from: '09:00', until: '17:00' }
const SLUG = /^[a-z0-9](?:[a-z0-9-]{1,58}[a-z0-9])$/

export function fieldsOf(availability: Availability): AvailabilityFields {
  const { hours, exceptions, location, welcome, ...rest } = availability
  return {
    ...rest,
    location: location ?? '',
    welcome: welcome ?? '',
    week: weekdays.map((_, index) =>
      inOrder(hours.filter(({ day }) => day === index + 1).map(({ from, until }) => ({ from, until }))),
    ),
    exceptions: exceptions.toSorted((a, b) => a.day.localeCompare(b.day)),
  }
}

export function changeOf(before: Availability, fields: AvailabilityFields): AvailabilityChange | undefined {
  const was = changeless(fieldsOf(before))
  const is = changeless(fields)
  const names = (Object.keys(is) as (keyof AvailabilityChange)[]).filter(
    name => JSON.stringify(is[name]) !== JSON.stringify(was[name]),
  )
  return names.length > 0 ? Object.fromEntries(names.map(name => [name, is[name]])) : undefined
}

/** What the server would refuse, by field. */
export function faultsOf({ slug, title, week, exceptions }: AvailabilityFields): FieldFault[] {
  const faults: FieldFault[] = []
  const tell = (path: string, message: string) => faults.push({ path, message })
  if (!SLUG.test(slug.trim())) tell('slug', 'must be 3 to 60 lowercase letters, digits and inner hyphens')
  if (!title.trim()) tell('title', 'is required')
  week.forEach((ranges, index) => {
    const fault = faultIn(ranges)
    if (fault) tell(`week.${index}`, fault)
  })
  if (week.flat().length > HOURS_MAX) tell('week.6', `At most ${HOURS_MAX} time ranges a week`)
  exceptions.forEach(({ day, hours }, index) => {
    const isTwice = exceptions.findIndex(each => each.day === day) !== index
    const fault = !day ? 'Choose a date' : isTwice ? 'This date is already in the list' : faultIn(hours)
    if (fault) tell(`exceptions.${index}`, fault)
  })
  if (exceptions.length > EXCEPTIONS_MAX) tell('exceptions', `At most ${EXCEPTIONS_MAX} date overrides`)
  return faults
}

/** Proposed hours: office hours, or an hour after the last range. */
export function nextRange(ranges: readonly Range[]): Range {
  const last = ranges.at(-1)?.until
  if (!last) return { ...USUAL }
  const hour = Number(last.slice(0, 2))
  const two = (part: number) => `${String(part).padStart(2, '0')}:00`
  return hour < 22 ? { from: two(hour + 1), until: two(Math.min(24, hour + 3)) } : { from: '', until: '' }
}

/** The browser's time field has no 24:00: the end of a day is shown as 00:00. */
export function shownUntil(until: string): string {
  return until === '24:00' ? '00:00' : until
}

export function readUntil(typed: string): string {
  return typed === '00:00' ? '24:00' : typed
}

function faultIn(ranges: readonly Range[]): string | undefined {
  if (ranges.some(({ from, until }) => !from || !until)) return 'Enter both times'
  if (ranges.some(({ from, until }) => from >= until)) return 'The end must be after the start'
  const sorted = inOrder(ranges)
  if (sorted.some(({ from }, index) => index > 0 && from < sorted[index - 1]!.until))
    return 'These times overlap'
  return undefined
}

function inOrder(ranges: readonly Range[]): Range[] {
  return ranges.toSorted((a, b) => a.from.localeCompare(b.from))
}

/** As the API takes them, always in the same order. */
function changeless(fields: AvailabilityFields): Required<AvailabilityChange> {
  return {
    slug: fields.slug.trim(),
    active: fields.active,
    timezone: fields.timezone,
    hours: fields.week.flatMap((ranges, index) =>
      inOrder(ranges).map(({ from, until }) => ({ day: index + 1, from, until })),
    ),
    exceptions: fields.exceptions
      .toSorted((a, b) => a.day.localeCompare(b.day))
      .map(({ day, hours }) => ({ day, hours: inOrder(hours).map(({ from, until }) => ({ from, until })) })),
    duration_min: fields.duration_min,
    buffer_before_min: fields.buffer_before_min,
    buffer_after_min: fields.buffer_after_min,
    notice_min: fields.notice_min,
    horizon_days: fields.horizon_days,
    per_day_max: fields.per_day_max,
    title: fields.title.trim(),
    location: fields.location.trim() || null,
    welcome: fields.welcome.trim() || null,
  }
}
