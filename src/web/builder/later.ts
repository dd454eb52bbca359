const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The time since the start of a test, on its simulated clock: "in 2 days". */
export function laterInWords(ms: number): string {
  if (ms < 1_000) return 'immediately'
  if (ms < MINUTE_MS) return `in ${Math.round(ms / 1_000)} s`
  if (ms < HOUR_MS) return `in ${Math.round(ms / MINUTE_MS)} min`
  if (ms < DAY_MS) return `in ${trimmed(ms / HOUR_MS)} h`
  const days = trimmed(ms / DAY_MS)
  return `in ${days} ${days === '1' ? 'day' : 'days'}`
}

function trimmed(amount: number): string {
  return String(Math.round(amount * 10) / 10)
}
