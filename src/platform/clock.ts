/** Every reading of the time goes through a clock, so that tests can hold it still or move it. */
export type Clock = { now(): number }

/** By how much the clocks of two machines may differ. A time further ahead was written by a clock that was wrong. */
export const CLOCK_SKEW_MAX_MS = 300_000

export const systemClock: Clock = { now: () => Date.now() }

export class FakeClock implements Clock {
  private time: number
  private readonly listeners = new Set<() => void>()

  constructor(start: string | number = '2026-03-02T09:00:00.000Z') {
    this.time = typeof start === 'number' ? start : Date.parse(start)
  }

  now(): number {
    return this.time
  }

  advance(ms: number): void {
    this.moveTo(this.time + ms)
  }

  set(instant: string): void {
    this.moveTo(Date.parse(instant))
  }

  /** Returns what ends it. */
  onMove(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  private moveTo(ms: number): void {
    this.time = ms
    for (const listener of this.listeners) listener()
  }
}

export function isoAt(ms: number): string {
  const known = texts.get(ms)
  if (known !== undefined) return known
  if (texts.size >= TEXTS_MAX) texts.clear()
  const text = new Date(ms).toISOString()
  texts.set(ms, text)
  return text
}

/** A busy process asks for the same millisecond many times, and making the text is slow. */
const texts = new Map<number, string>()
const TEXTS_MAX = 64

const INSTANT =
  /^(?!0000)\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-](?:0\d|1[0-4]):[0-5]\d)$/

/** An instant that JavaScript and PostgreSQL both understand, and understand alike: RFC 3339, years 1 to 9999. */
export function isInstant(text: string): boolean {
  if (!INSTANT.test(text)) return false
  const ms = Date.parse(text)
  return ms >= FIRST_MS && ms <= LAST_MS && isDay(text.slice(0, 10))
}

/** The one spelling in which an instant is kept and answered, however it was given. */
export function tidyInstant(text: string): string {
  return new Date(text).toISOString()
}

const FIRST_MS = Date.parse('0001-01-01T00:00:00Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** A day of the calendar, like 2026-03-31: Date.parse takes the 30th of February for the 2nd of March. */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const parsed = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text)
}
