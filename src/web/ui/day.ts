const DAY = /^(19[7-9]\d|2\d{3})-\d{2}-\d{2}$/

/** Whether it is a valid date like `2026-05-12`. */
export function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(Date.parse(text))
}

/** Local days as instants; both days are included. */
export function instantsOf(from: string | undefined, until: string | undefined) {
  return {
    ...(from && { from: startOf(from, 0) }),
    // "Until the 12th" includes the 12th.
    ...(until && { until: startOf(until, 1) }),
  }
}

/** The local day some days before today. */
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
