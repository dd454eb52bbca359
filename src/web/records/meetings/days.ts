/** Days in the user's calendar, counted as dates: not every day has 24 hours. */

const DAYS_A_WEEK = 7

/** `2026-05-12`, in local time. */
export function dayOf(date: Date | number): string {
  const at = new Date(date)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** Local midnight, some days later. */
export function dateOf(day: string, add = 0): Date {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + add)
}

export function addDays(day: string, add: number): string {
  return dayOf(dateOf(day, add))
}

/** The Monday of its week. */
export function mondayOf(day: string): string {
  return addDays(day, -((dateOf(day).getDay() + 6) % DAYS_A_WEEK))
}

/** The days shown: a week, or one day on phones. */
export function shownDays(day: string, isNarrow: boolean): string[] {
  if (isNarrow) return [day]
  const monday = mondayOf(day)
  return Array.from({ length: DAYS_A_WEEK }, (_, index) => addDays(monday, index))
}

/** Start and end of the days. */
export function spanOf(days: readonly string[]): { from: string; until: string } {
  return {
    from: dateOf(days[0]!).toISOString(),
    until: dateOf(days.at(-1)!, 1).toISOString(),
  }
}

/** Local time, in minutes after midnight. */
export function timeOn(day: string, minutes: number): Date {
  const date = dateOf(day)
  date.setHours(0, minutes)
  return date
}
