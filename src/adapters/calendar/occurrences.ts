import ICAL from 'ical.js'
import type { BusyTime, CalendarSpan } from '#platform/ports/calendar.ts'
import { instantOf } from '#platform/zone.ts'

export const OCCURRENCES_MAX = 2_000
const UID_LENGTH_MAX = 200
const DAY_MS = 86_400_000

/**
 * When the events of an iCalendar object keep somebody busy: each occurrence within the span, at the time that its own
 * exception says. What is free (TRANSPARENT), cancelled or takes no time keeps nobody busy.
 */
export function occurrencesIn(ics: string, span: CalendarSpan): BusyTime[] {
  const events = new ICAL.Component(ICAL.parse(ics)).getAllSubcomponents('vevent')
  const byUid = Map.groupBy(events, event => String(event.getFirstPropertyValue('uid') ?? ''))
  return [...byUid].flatMap(([uid, parts]) =>
    timesOf(parts, span).map(({ from, until }) => ({
      uid: plain(uid),
      starts_at: new Date(from).toISOString(),
      ends_at: new Date(until).toISOString(),
    })),
  )
}

type Times = { from: number; until: number }

/** An occurrence with an exception is where that says, which may be far from where it was. */
function timesOf(parts: ICAL.Component[], span: CalendarSpan): Times[] {
  const exceptions = parts.filter(part => part.hasProperty('recurrence-id'))
  const series = parts.filter(part => !exceptions.includes(part))
  return [
    ...exceptions.flatMap(part => single(part, span)),
    ...series.flatMap(part => (isRepeated(part) ? repeated(part, exceptions, span) : single(part, span))),
  ]
}

function isRepeated(part: ICAL.Component): boolean {
  return part.hasProperty('rrule') || part.hasProperty('rdate')
}

function single(part: ICAL.Component, span: CalendarSpan): Times[] {
  if (!keepsBusy(part)) return []
  const { startDate, endDate } = new ICAL.Event(part)
  return within(timeBetween(startDate, endDate, zonesOf(part, span)), span)
}

function repeated(part: ICAL.Component, exceptions: ICAL.Component[], span: CalendarSpan): Times[] {
  const zones = zonesOf(part, span)
  const event = new ICAL.Event(part, { exceptions })
  const moved = new Set(
    exceptions.map(each => instantAt(new ICAL.Event(each).recurrenceId, zonesOf(each, span))),
  )
  const times: Times[] = []
  const occurrences = event.iterator()
  for (let next = occurrences.next(); next && times.length < OCCURRENCES_MAX; next = occurrences.next()) {
    const at = instantAt(next, zones)
    if (at >= Date.parse(span.until)) break
    if (moved.has(at)) continue
    const { item, startDate, endDate } = event.getOccurrenceDetails(next)
    if (keepsBusy(item.component)) times.push(...within(timeBetween(startDate, endDate, zones), span))
  }
  return times
}

function keepsBusy(part: ICAL.Component): boolean {
  const says = (name: string) => String(part.getFirstPropertyValue(name) ?? '').toUpperCase()
  return says('transp') !== 'TRANSPARENT' && says('status') !== 'CANCELLED'
}

/** Of whole days, and of times whose zone the event does not describe. */
type Zones = { days: string; times: string }

/** Some programs name a zone and leave out what they mean by it; a time of no zone is that of the calendar's owner. */
function zonesOf(part: ICAL.Component, { zone }: CalendarSpan): Zones {
  const named = part.getFirstProperty('dtstart')?.getParameter('tzid')
  return { days: zone, times: typeof named === 'string' && isKnown(named) ? named : zone }
}

/** A day without an end is that day; a time without an end takes none. */
function timeBetween(start: ICAL.Time, end: ICAL.Time, zones: Zones): Times {
  const from = instantAt(start, zones)
  const until = instantAt(end, zones)
  return {
    from,
    until: start.isDate && until <= from ? instantOf(wallMs(start) + DAY_MS, zones.days) : until,
  }
}

function within(times: Times, { from, until }: CalendarSpan): Times[] {
  const isWithin = times.from < Date.parse(until) && times.until > Date.parse(from)
  return isWithin && times.until > times.from ? [times] : []
}

/**
 * Zones that the world knows are taken by their name, since what programs write into an event to describe them often holds
 * for one year alone; others as the event describes them.
 */
function instantAt(time: ICAL.Time, zones: Zones): number {
  const wall = wallMs(time)
  if (time.isDate) return instantOf(wall, zones.days)
  const { tzid } = time.zone
  if (tzid === 'UTC') return wall
  if (tzid === 'floating') return instantOf(wall, zones.times)
  return isKnown(tzid) ? instantOf(wall, tzid) : time.toUnixTime() * 1000
}

function wallMs({ year, month, day, hour, minute, second, isDate }: ICAL.Time): number {
  return isDate ? Date.UTC(year, month - 1, day) : Date.UTC(year, month - 1, day, hour, minute, second)
}

const known = new Map<string, boolean>()

function isKnown(zone: string): boolean {
  let is = known.get(zone)
  if (is === undefined) {
    try {
      is = zone.includes('/') && Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
    } catch {
      is = false
    }
    known.set(zone, is)
  }
  return is
}

/** As a table takes it. */
function plain(uid: string): string {
  return uid
    .replace(/\p{Cc}/gu, '')
    .toWellFormed()
    .slice(0, UID_LENGTH_MAX)
}
