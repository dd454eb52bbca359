/** A time to choose, in the zone of the person. */
export type Moment = { label: string; at: string }

const HOUR_MS = 3_600_000
const MORNING_HOUR = 9
const EVENING_HOUR = 18
const MONDAY = 1
const WEEK_DAYS = 7

/** When a message is sent later. */
export function sendingMoments(now: number): Moment[] {
  return [inOneHour(now), tomorrow(now), ...monday(now)]
}

/** When a snoozed conversation comes back. */
export function snoozeMoments(now: number): Moment[] {
  const evening = atHour(now, 0, EVENING_HOUR)
  const isEarly = evening.getTime() - now > HOUR_MS
  return [
    inOneHour(now),
    ...(isEarly ? [{ label: 'This evening', at: evening.toISOString() }] : []),
    tomorrow(now),
    ...monday(now),
  ]
}

function inOneHour(now: number): Moment {
  return { label: 'In 1 hour', at: new Date(now + HOUR_MS).toISOString() }
}

function tomorrow(now: number): Moment {
  return { label: 'Tomorrow', at: atHour(now, 1, MORNING_HOUR).toISOString() }
}

/** On Sundays that is tomorrow. */
function monday(now: number): Moment[] {
  const days = (MONDAY - new Date(now).getDay() + WEEK_DAYS) % WEEK_DAYS || WEEK_DAYS
  return days === 1 ? [] : [{ label: 'Monday', at: atHour(now, days, MORNING_HOUR).toISOString() }]
}

/** Also right where a clock change lies between. */
function atHour(now: number, days: number, hour: number): Date {
  const date = new Date(now)
  date.setDate(date.getDate() + days)
  date.setHours(hour, 0, 0, 0)
  return date
}
