const DAY = /^(19[7-9]\d|2\d{3})-\d{2}-\d{2}$/

/** `2026-05-12`, and nothing that merely looks like it. */
export function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(Date.parse(text))
}

/** Days of the person's own calendar as the instants between which they lie; both are included. */
export function instantsOf(from: string | undefined, until: string | undefined) {
  return {
    ...(from && { from: startOf(from, 0) }),
    // "Until the 12th" includes the 12th.
    ...(until && { until: startOf(until, 1) }),
  }
}

/** The day so many days before today, in the person's own calendar. */
export function dayAgo(days: number): string {
  const now = new Date()
  const then = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`
}

function startOf(day: string, add: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + add).toISOString()
}
