import type { Availability } from '#domains/meetings/contract.ts'
import { addDays, dateOf } from './days.ts'
import { minuteOf } from './lanes.ts'
import { instantIn, wallOf } from '../../ui/zones.ts'

type Hours = Pick<Availability, 'timezone' | 'hours' | 'exceptions'>
type Minutes = { from: number; until: number }

const DAY_MIN = 24 * 60

/** Working hours on a local day, in minutes; they may be defined in another time zone. */
export function workingOn(day: string, availability: Hours): Minutes[] {
  const { timezone } = availability
  const midnight = dateOf(day)
  const first = wallOf(midnight.getTime(), timezone).day
  // A local day overlaps two days there, or three where the zones are far apart.
  const found = [first, addDays(first, 1), addDays(first, 2)].flatMap(there =>
    hoursOn(there, availability).map(({ from, until }) => ({
      from: minuteOf(new Date(instantIn(there, from, timezone)), midnight),
      until: minuteOf(new Date(instantIn(there, until, timezone)), midnight),
    })),
  )
  return found
    .map(({ from, until }) => ({ from: Math.max(0, from), until: Math.min(DAY_MIN, until) }))
    .filter(({ from, until }) => from < until)
}

/** Whether all of it lies within working hours. */
export function isWithin(startsAt: number, endsAt: number, availability: Hours): boolean {
  const { timezone } = availability
  const { day } = wallOf(startsAt, timezone)
  return hoursOn(day, availability).some(
    ({ from, until }) =>
      instantIn(day, from, timezone) <= startsAt && endsAt <= instantIn(day, until, timezone),
  )
}

function hoursOn(day: string, { hours, exceptions }: Hours): { from: string; until: string }[] {
  const exception = exceptions.find(each => each.day === day)
  if (exception) return exception.hours
  const weekday = dateOf(day).getDay() || 7
  return hours.filter(each => each.day === weekday)
}
