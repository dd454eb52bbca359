import { describe, expect, test } from 'vitest'
import {
  afterFailure,
  afterSuccess,
  FAILURES_BEFORE_PAUSE,
  IN_HAND_MAX,
  isGivenUp,
  retryAfterMs,
  retryWaitMs,
  roomFor,
  type Health,
} from './schedule.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const start = Date.parse('2026-03-02T09:00:00.000Z')
const at = (ms: number) => new Date(start + ms).toISOString()
const fresh: Health = {
  failures: 0,
  pauses: 0,
  failing_since: null,
  paused_until: null,
  last_success_at: null,
  last_failure_at: null,
}

describe('the wait before the next try', () => {
  test('follows the schedule, and after the last there is none', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(tries => retryWaitMs(tries, undefined, 0.5))
    const hours = [2, 5, 10, 14, 20, 24].map(hours => hours * HOUR_MS)
    expect(waits).toEqual([5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, ...hours, undefined])
  })

  test('differs by up to a tenth either way', () => {
    expect(retryWaitMs(1, undefined, 0)).toBe(4_500)
    expect(retryWaitMs(1, undefined, 1)).toBe(5_500)
    const waits = new Set(Array.from({ length: 50 }, () => retryWaitMs(9, undefined)))
    expect(waits.size).toBeGreaterThan(40)
  })

  test('is as long as the receiver asks for when that is longer, up to a day', () => {
    expect(retryWaitMs(1, 60_000, 0.5)).toBe(60_000)
    expect(retryWaitMs(2, 60_000, 0.5)).toBe(300_000)
    expect(retryWaitMs(1, 24 * HOUR_MS, 0.5)).toBe(24 * HOUR_MS)
    expect(retryWaitMs(1, 24 * HOUR_MS + 1, 0.5)).toBe(24 * HOUR_MS)
    expect(retryWaitMs(10, 60_000)).toBeUndefined()
  })

  test.for([
    ['120', 120_000],
    [' 0 ', 0],
    ['9'.repeat(400), Infinity],
    ['Mon, 02 Mar 2026 09:01:00 GMT', 60_000],
    ['Mon, 02 Mar 2026 08:00:00 GMT', 0],
    ['', undefined],
    [undefined, undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2026-03-02', undefined],
    ['Mon, nonsense GMT', undefined],
  ] as const)('Retry-After %s', ([header, expected]) => {
    expect(retryAfterMs(header, start)).toBe(expected)
  })
})

describe('an address', () => {
  const failing = (count: number, from = fresh, everyMs = SECOND_MS) => {
    let health = from
    for (let n = 0; n < count; n++) health = afterFailure(health, at(n * everyMs), at(0))
    return health
  }

  test('is left in peace after five failures in a row, and not after four', () => {
    expect(failing(FAILURES_BEFORE_PAUSE - 1).paused_until).toBeNull()
    expect(failing(FAILURES_BEFORE_PAUSE)).toMatchObject({
      failures: 5,
      failing_since: at(0),
      last_failure_at: at(4_000),
      paused_until: at(4_000 + MINUTE_MS),
    })
  })

  test('is left in peace for longer each time, up to half an hour', () => {
    let health = failing(FAILURES_BEFORE_PAUSE)
    let now = Date.parse(health.paused_until!)
    const pauses = [1, 2, 3, 4, 5, 6].map(() => {
      health = afterFailure(health, new Date(now).toISOString(), at(0))
      const pauseMs = Date.parse(health.paused_until!) - now
      now += pauseMs
      return pauseMs / MINUTE_MS
    })
    expect(pauses).toEqual([2, 4, 8, 16, 30, 30])
  })

  test('is not paused for longer by what was under way when the pause began', () => {
    const paused = failing(FAILURES_BEFORE_PAUSE)
    const later = afterFailure(paused, at(5_000), at(0))
    expect(later).toMatchObject({ failures: 6, pauses: 1, paused_until: paused.paused_until })
  })

  test('is as new after one success', () => {
    const health = afterSuccess(failing(9), at(HOUR_MS))
    expect(health).toMatchObject({ ...fresh, last_success_at: at(HOUR_MS), last_failure_at: at(8_000) })
    expect(failing(4, health).paused_until).toBeNull()
  })

  test('has a few places; one while it fails, none in a pause, and one again after it', () => {
    expect(roomFor(fresh, 0, at(0))).toBe(IN_HAND_MAX)
    expect(roomFor(fresh, IN_HAND_MAX, at(0))).toBe(0)
    expect(roomFor(fresh, IN_HAND_MAX + 1, at(0))).toBe(0)
    const once = failing(1)
    expect([roomFor(once, 0, at(0)), roomFor(once, 1, at(0)), roomFor(once, 3, at(0))]).toEqual([1, 0, 0])
    const paused = failing(FAILURES_BEFORE_PAUSE)
    const end = Date.parse(paused.paused_until!) - start
    expect([roomFor(paused, 0, at(end - 1)), roomFor(paused, 0, at(end))]).toEqual([0, 1])
  })

  test('is given up after five days without a success, to the millisecond', () => {
    const health = failing(1)
    expect(isGivenUp(health, at(5 * DAY_MS - 1))).toBe(false)
    expect(isGivenUp(health, at(5 * DAY_MS))).toBe(true)
    expect(isGivenUp(afterSuccess(health, at(DAY_MS)), at(9 * DAY_MS))).toBe(false)
  })

  test('is not given up for a failure long ago: days without anything to tell are no failures', () => {
    const month = at(30 * DAY_MS)
    expect(isGivenUp(afterFailure(failing(1), month, month), month)).toBe(false)
    // One that was tried all the time is another matter.
    expect(isGivenUp(afterFailure(failing(1), month, at(0)), month)).toBe(true)
    expect(isGivenUp(afterFailure(failing(1), at(5 * DAY_MS), at(2 * DAY_MS)), at(5 * DAY_MS))).toBe(true)
  })
})
