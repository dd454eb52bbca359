import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  addWorkingDays,
  dayOf,
  instantOf,
  nextOutside,
  nextWithin,
  spanOfDay,
  wallTime,
} from './zone.ts'

const BERLIN = 'Europe/Berlin'
const zones = ['UTC', BERLIN, 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia']
const at = (text: string) => Date.parse(text)
const shown = (ms: number, zone: string) => wallTime(ms, zone).toISOString().slice(0, 16)

test('the wall clock of a place is read, on both sides of a clock change', () => {
  expect(shown(at('2026-03-29T00:59:00Z'), BERLIN)).toBe('2026-03-29T01:59')
  expect(shown(at('2026-03-29T01:00:00Z'), BERLIN)).toBe('2026-03-29T03:00')
  expect(shown(at('2026-10-25T00:59:00Z'), BERLIN)).toBe('2026-10-25T02:59')
  expect(shown(at('2026-10-25T01:00:00Z'), BERLIN)).toBe('2026-10-25T02:00')
  expect(shown(at('2026-07-01T12:00:00Z'), 'Asia/Kathmandu')).toBe('2026-07-01T17:45')
})

test('a time that is left out is the moment of the jump, and one that comes twice is the first', () => {
  expect(new Date(instantOf(at('2026-03-29T02:30:00Z'), BERLIN)).toISOString()).toBe(
    '2026-03-29T01:00:00.000Z',
  )
  expect(new Date(instantOf(at('2026-10-25T02:30:00Z'), BERLIN)).toISOString()).toBe(
    '2026-10-25T00:30:00.000Z',
  )
})

test('whatever the wall shows leads back to its instant, in every zone', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: at('2025-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z') }),
      (zone, ms) => {
        const back = instantOf(wallTime(ms, zone).getTime(), zone)
        expect(wallTime(back, zone).getTime()).toBe(wallTime(ms, zone).getTime())
        expect(back).toBeLessThanOrEqual(ms)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('days later is the same time of day, also across a clock change', () => {
  expect(shown(addDays(at('2026-03-28T08:00:00Z'), 1, BERLIN), BERLIN)).toBe('2026-03-29T09:00')
  expect(shown(addDays(at('2026-10-24T07:00:00Z'), 1, BERLIN), BERLIN)).toBe('2026-10-25T09:00')
  expect(addDays(at('2026-10-24T07:00:00Z'), 1, BERLIN) - at('2026-10-24T07:00:00Z')).toBe(25 * 3_600_000)
  expect(shown(addDays(at('2028-02-28T08:00:00Z'), 1, BERLIN), BERLIN)).toBe('2028-02-29T09:00')
})

test('working days leave out the weekend', () => {
  const friday = at('2026-11-13T09:00:00Z')
  expect(dayOf(addWorkingDays(friday, 1, 'UTC'), 'UTC')).toBe('2026-11-16')
  expect(dayOf(addWorkingDays(friday, 5, 'UTC'), 'UTC')).toBe('2026-11-20')
  expect(dayOf(addWorkingDays(at('2026-11-14T09:00:00Z'), 1, 'UTC'), 'UTC')).toBe('2026-11-16')
  expect(addWorkingDays(friday, 0, 'UTC')).toBe(friday)
})

describe('a window', () => {
  const office = { days: [1, 2, 3, 4, 5], from: '09:00', until: '17:00' }

  test('within it, it is now; before and after it, the next opening', () => {
    expect(nextWithin(at('2026-11-16T10:00:00Z'), office, 'UTC')).toBe(at('2026-11-16T10:00:00Z'))
    expect(nextWithin(at('2026-11-16T08:59:59Z'), office, 'UTC')).toBe(at('2026-11-16T09:00:00Z'))
    expect(nextWithin(at('2026-11-16T17:00:00Z'), office, 'UTC')).toBe(at('2026-11-17T09:00:00Z'))
    expect(nextWithin(at('2026-11-13T17:00:00Z'), office, 'UTC')).toBe(at('2026-11-16T09:00:00Z'))
  })

  test('opens once on each day of a clock change, in every zone', () => {
    for (const zone of zones) {
      for (const day of [
        '2026-03-08',
        '2026-03-29',
        '2026-04-05',
        '2026-10-04',
        '2026-10-25',
        '2026-11-01',
      ]) {
        const night = { days: [1, 2, 3, 4, 5, 6, 7], from: '02:15', until: '04:00' }
        const midnight = instantOf(at(`${day}T00:00:00Z`), zone)
        const opens = nextWithin(midnight, night, zone)
        expect(dayOf(opens, zone)).toBe(day)
        expect(shown(opens, zone) >= `${day}T02:15`).toBe(true)
        const { until } = spanOfDay(opens, night, zone)!
        expect(dayOf(nextWithin(until, night, zone), zone)).not.toBe(day)
      }
    }
  })
})

test('quiet hours end in the morning, whichever side of midnight it is', () => {
  expect(nextOutside(at('2026-11-16T22:00:00Z'), '21:00', '08:00', 'UTC')).toBe(at('2026-11-17T08:00:00Z'))
  expect(nextOutside(at('2026-11-17T02:00:00Z'), '21:00', '08:00', 'UTC')).toBe(at('2026-11-17T08:00:00Z'))
  expect(nextOutside(at('2026-11-17T08:00:00Z'), '21:00', '08:00', 'UTC')).toBe(at('2026-11-17T08:00:00Z'))
  expect(nextOutside(at('2026-11-17T20:59:00Z'), '21:00', '08:00', 'UTC')).toBe(at('2026-11-17T20:59:00Z'))
})
