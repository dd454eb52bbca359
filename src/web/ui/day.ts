const DAY = /^(19[7-9]\d|2\d{3})-\d{2}-\d{2}$/

/** Whether it is a valid date like `2026-05-12`. */
export function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(Date.parse(text))
}

/** Local days as instants; both days are included. */
export function instantsOf(from: string | undefined, until: string | undefined) {
  return {
    ...(from && { from: startOf(from, 0).toISOString() }),
    // "Until the 12th" includes the 12th.
    ...(until && { until: startOf(until, 1).toISOString() }),
  }
}

/** The local day some days before today. */
export function dayAgo(days: number): string {
  const now = new Date()
  return dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days))
}

/** The day some days after another. */
export function dayAfter(day: string, days: number): string {
  return dayOf(startOf(day, days))
}

/** Its midnight for this person, moved on by some days. */
export function startOf(day: string, add: number): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + add)
}

function dayOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
