import { useSyncExternalStore } from 'react'

/** A relative time that updates itself; the exact local time is in its title. */
export function Time({ at, ahead = false }: { at: string; ahead?: boolean }) {
  const now = useNow()
  const then = Date.parse(at)
  return (
    <time dateTime={at} title={exactly(at)}>
      {/* Past events are never in the future, even if the server's clock is ahead. */}
      {relatively(then, ahead ? now : Math.max(now, then))}
    </time>
  )
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const TICK_MS = 30_000

// The UI is in English: only English locales get their regional date format.
const locale = navigator.language.startsWith('en') ? navigator.language : 'en-GB'
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' })
const dayOfYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const dayAndYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
const longDay = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
const longDayAndYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' })
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short' })
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })

export function exactly(at: string): string {
  return exact.format(new Date(at))
}

export function timeOfDay(at: string): string {
  return clock.format(new Date(at))
}

/** "Tue 12 May, 10:00". */
export function dayAndTime(at: string): string {
  return `${weekday.format(new Date(at))}, ${timeOfDay(at)}`
}

export function relatively(at: number, now: number): string {
  const ago = now - at
  const ahead = ago < 0
  const distance = Math.abs(ago)
  if (distance < MINUTE_MS * 0.75) return ahead ? 'in a moment' : 'just now'
  if (distance < HOUR_MS) return direction(`${Math.max(1, Math.round(distance / MINUTE_MS))} min`, ahead)
  if (distance < DAY_MS && dayNumber(at) === dayNumber(now))
    return direction(`${Math.round(distance / HOUR_MS)} h`, ahead)
  const days = dayNumber(now) - dayNumber(at)
  if (days === 1) return 'yesterday'
  if (days === -1) return 'tomorrow'
  if (days > 1 && days < 7) return `${days} days ago`
  if (days < 0 && days > -7) return `in ${-days} days`
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return (sameYear ? dayOfYear : dayAndYear).format(at)
}

/** The heading of a day in a timeline. */
export function dayInWords(at: string, now: number): string {
  const days = dayNumber(now) - dayNumber(Date.parse(at))
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  const date = new Date(at)
  return (date.getFullYear() === new Date(now).getFullYear() ? longDay : longDayAndYear).format(date)
}

/** A day without a time, like `2026-05-12`, is the same day in every zone. */
export function dateInWords(day: string): string {
  const [year, month, date] = day.split('-').map(Number)
  if (!year || !month || !date) return day
  return dayAndYear.format(new Date(year, month - 1, date))
}

/** Days since the epoch in local time. */
export function dayNumber(at: number): number {
  return Math.floor((at - new Date(at).getTimezoneOffset() * MINUTE_MS) / DAY_MS)
}

function direction(distance: string, ahead: boolean): string {
  return ahead ? `in ${distance}` : `${distance} ago`
}

// One clock for every time on the page.
let tick = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => tick)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (!timer) tick = Date.now()
  timer ??= setInterval(() => {
    tick = Date.now()
    for (const each of listeners) each()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
}
