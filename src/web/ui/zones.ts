import type { Meeting } from '#domains/meetings/contract.ts'

/** The user's time zone. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

type When = Pick<Meeting, 'starts_at' | 'ends_at'>

// The UI is in English: only English locales get their regional time format.
const locale = navigator.language.startsWith('en') ? navigator.language : 'en-GB'

/** "10:00 – 10:30", in local time by default. */
export function timesOf({ starts_at, ends_at }: When, zone?: string): string {
  const { time } = formatsOf(zone)
  return `${time.format(Date.parse(starts_at))} – ${time.format(Date.parse(ends_at))}`
}

export function timeIn(at: string, zone?: string): string {
  return formatsOf(zone).time.format(Date.parse(at))
}

/** "Tuesday 12 May 2026". */
export function dayIn(at: string | number | Date, zone?: string): string {
  return formatsOf(zone).day.format(new Date(at))
}

/** "Tue 12 May". */
export function shortDayIn(at: string | number | Date, zone?: string): string {
  return formatsOf(zone).short.format(new Date(at))
}

/** Start in the guest's zone, like "04:00 New York", with the day if it differs; undefined as below. */
export function guestStart(startsAt: string, zone: string): string | undefined {
  const times = guestTimes({ starts_at: startsAt, ends_at: startsAt }, zone)
  return times && `${times.split(' – ')[0]} ${placeOf(zone)}`
}

/** The same in the guest's zone; undefined if both zones have the same time. */
export function guestTimes(meeting: When, zone: string): string | undefined {
  const [own, theirs] = [formatsOf(), formatsOf(zone)]
  const at = Date.parse(meeting.starts_at)
  const isSameDay = own.day.format(at) === theirs.day.format(at)
  if (isSameDay && own.time.format(at) === theirs.time.format(at)) return undefined
  return (isSameDay ? '' : `${theirs.weekday.format(at)} `) + timesOf(meeting, zone)
}

/** `America/New_York` → "New York". */
export function placeOf(zone: string): string {
  return zone.split('/').at(-1)!.replaceAll('_', ' ')
}

/** "GMT+2", as it is at this moment. */
export function offsetName(at: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** The instant of a local date and time in a zone: `2026-05-12` and `09:30`. */
export function instantIn(day: string, time: string, zone: string): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const wall = Date.UTC(year, month - 1, date, hour, minute)
  // The UTC offset is that of the instant itself, which the first guess may miss on a day of a clock change.
  const guess = wall - distanceOf(wall, zone)
  return wall - distanceOf(guess, zone)
}

/** Local date and time in a zone, like `2026-05-12` and `09:30`. */
export function wallOf(at: number, zone: string): { day: string; time: string } {
  const [day = '', rest = ''] = new Date(at + distanceOf(at, zone)).toISOString().split('T')
  return { day, time: rest.slice(0, 5) }
}

type Formats = Record<'time' | 'day' | 'short' | 'weekday' | 'parts', Intl.DateTimeFormat>
const known = new Map<string, Formats>()

/** Formatters are expensive to create, and a week needs many. Unknown zones fall back to UTC. */
function formatsOf(zone = ownZone): Formats {
  let formats = known.get(zone)
  if (!formats) {
    try {
      formats = formatsFor(zone)
    } catch {
      formats = formatsFor('UTC')
    }
    known.set(zone, formats)
  }
  return formats
}

function formatsFor(timeZone: string): Formats {
  const date = { day: 'numeric', month: 'long' } as const
  const digits = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric' } as const
  return {
    time: new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit' }),
    day: new Intl.DateTimeFormat(locale, { timeZone, weekday: 'long', year: 'numeric', ...date }),
    short: new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', ...date, month: 'short' }),
    weekday: new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short' }),
    parts: new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...digits, minute: 'numeric' }),
  }
}

/** UTC offset of a zone, to the minute. */
function distanceOf(at: number, zone: string): number {
  const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS
  const parts = formatsOf(zone).parts.formatToParts(minute)
  const part = (name: string) => Number(parts.find(({ type }) => type === name)?.value)
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')) - minute
}

const MINUTE_MS = 60_000
