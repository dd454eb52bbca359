import { dayOf } from '#platform/zone.ts'

/** One line, however long or odd it is: text by strangers and models ends up in emails and calendars. */
export function oneLine(text: string, max = Infinity): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
  return cut(line, max)
}

/** Line ends stay; other control characters say nothing. */
export function manyLines(text: string, max = Infinity): string {
  const lines = text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, ' ')
    .trim()
  return cut(lines, max)
}

type Times = { starts_at: string; ends_at: string }

/** As people of that place say it: `Monday, 2 March 2026, 10:00 – 10:30 (Europe/Berlin)`. */
export function timeIn(zone: string, { starts_at, ends_at }: Times): string {
  const [from, until] = [Date.parse(starts_at), Date.parse(ends_at)]
  const end =
    dayOf(from, zone) === dayOf(until, zone)
      ? clock(zone, until)
      : `${day(zone, until)}, ${clock(zone, until)}`
  return `${day(zone, from)}, ${clock(zone, from)} – ${end} (${zone})`
}

/** In the zone of who reads it, and in the other one where that shows another time. */
export function timesFor(reader: string, other: string, times: Times): string[] {
  const own = timeIn(reader, times)
  const others = timeIn(other, times)
  const isSame = own.slice(0, -reader.length) === others.slice(0, -other.length)
  return isSame ? [own] : [own, others]
}

function day(timeZone: string, ms: number): string {
  return formatted(ms, { timeZone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
}

function clock(timeZone: string, ms: number): string {
  return formatted(ms, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}

function formatted(ms: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', options).format(ms)
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const kept = text.slice(0, max - 1)
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`
}
