/** Days of the person's own calendar. They are counted by the calendar and not in hours: not every day has 24 of them. */

const DAYS_A_WEEK = 7

/** `2026-05-12`, as the wall calendar here has it. */
export function dayOf(date: Date | number): string {
  const at = new Date(date)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** Midnight here, so many days later. */
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

/** The days that are shown: the whole week, or the one day for which a phone has room. */
export function shownDays(day: string, isNarrow: boolean): string[] {
  if (isNarrow) return [day]
  const monday = mondayOf(day)
  return Array.from({ length: DAYS_A_WEEK }, (_, index) => addDays(monday, index))
}

/** From when until when they last. */
export function spanOf(days: readonly string[]): { from: string; until: string } {
  return {
    from: dateOf(days[0]!).toISOString(),
    until: dateOf(days.at(-1)!, 1).toISOString(),
  }
}

/** So many minutes after midnight, as the clock on the wall has it. */
export function timeOn(day: string, minutes: number): Date {
  const date = dateOf(day)
  date.setHours(0, minutes)
  return date
}
