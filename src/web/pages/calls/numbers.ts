import type { Analytics } from '#domains/softphone/contract.ts'
import { count } from '../../ui/words.ts'

const HOUR_MS = 3_600_000
/** Up to two days, the server counts by the hour. */
const HOURLY_MAX_MS = 48 * HOUR_MS

export type Bucket = { at: number; hourly: boolean; responses: number; failed: number }

/** The buckets of all agents added up, without gaps. */
export function bucketsOf({ from, until, buckets }: Pick<Analytics, 'from' | 'until' | 'buckets'>): Bucket[] {
  const [begin, end] = [Date.parse(from), Date.parse(until)]
  const hourly = end - begin <= HOURLY_MAX_MS
  const step = hourly ? HOUR_MS : 24 * HOUR_MS
  const sums = new Map<number, Bucket>()
  for (let at = Math.floor(begin / step) * step; at < end; at += step)
    sums.set(at, { at, hourly, responses: 0, failed: 0 })
  for (const bucket of buckets) {
    const at = Math.floor(Date.parse(bucket.at) / step) * step
    const sum = sums.get(at) ?? { at, hourly, responses: 0, failed: 0 }
    sum.responses += bucket.responses
    sum.failed += bucket.failed
    sums.set(at, sum)
  }
  return [...sums.values()].sort((a, b) => a.at - b.at)
}

/** "3.4 %", or a dash if there is nothing to divide by. */
export function shareInWords(part: number, whole: number): string {
  if (whole === 0) return '–'
  const share = (100 * part) / whole
  return `${share > 0 && share < 10 ? share.toFixed(1) : Math.round(share)} %`
}

export function latencyInWords(ms: number | null): string {
  if (ms === null) return '–'
  return ms < 1_000 ? `${count(Math.round(ms))} ms` : `${(ms / 1_000).toFixed(1)} s`
}
