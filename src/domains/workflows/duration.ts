/** `30m`, `2h`, `3d`, `1w`: what a person writes for a time to wait. Days and weeks keep the time of day. */

import { addDays } from '#platform/zone.ts'
import { DELAY_DAYS_MAX } from './values.ts'

export const DURATION_PATTERN = '^[0-9]{1,6}(?:s|m|h|d|w)$'

export type Duration = { days: number } | { ms: number }

const MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const
const DAYS = { d: 1, w: 7 } as const

/** Undefined for what is none, or is longer than a year. */
export function parseDuration(text: string): Duration | undefined {
  if (!new RegExp(DURATION_PATTERN).test(text)) return undefined
  const count = Number(text.slice(0, -1))
  const unit = text.at(-1)!
  if (Object.hasOwn(DAYS, unit)) {
    const days = count * DAYS[unit as keyof typeof DAYS]
    return days <= DELAY_DAYS_MAX ? { days } : undefined
  }
  const ms = count * MS[unit as keyof typeof MS]
  return ms <= DELAY_DAYS_MAX * 86_400_000 ? { ms } : undefined
}

/** This long after a moment, in a place where clocks may change meanwhile. What is no duration is no time at all. */
export function after(nowMs: number, text: string | undefined, zone: string): number {
  const duration = text === undefined ? undefined : parseDuration(text)
  if (!duration) return nowMs
  return 'days' in duration ? addDays(nowMs, duration.days, zone) : nowMs + duration.ms
}

/** The same for counting: a day is 24 hours. */
export function durationMs(text: string): number {
  const duration = parseDuration(text)
  if (!duration) return 0
  return 'days' in duration ? duration.days * 86_400_000 : duration.ms
}
