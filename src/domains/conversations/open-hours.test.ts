import { expect, test } from 'vitest'
import { afterOpenMinutes } from './open-hours.ts'

const weekdays = [1, 2, 3, 4, 5].map(day => ({ day, from: '09:00', until: '17:00' }))
const berlin = { hours: weekdays, timezone: 'Europe/Berlin' }
const after = (from: string, minutes: number, rules: Parameters<typeof afterOpenMinutes>[2] = berlin) => {
  const ms = afterOpenMinutes(Date.parse(from), minutes, rules)
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

test.for<[what: string, from: string, minutes: number, until: string]>([
  ['within a day', '2026-03-02T09:00:00Z', 60, '2026-03-02T10:00:00.000Z'],
  ['that fills the day to its end', '2026-03-02T08:00:00Z', 480, '2026-03-02T16:00:00.000Z'],
  ['over the night', '2026-03-02T15:30:00Z', 60, '2026-03-03T08:30:00.000Z'],
  ['over the weekend', '2026-03-06T15:30:00Z', 60, '2026-03-09T08:30:00.000Z'],
  ['from before the office opens', '2026-03-02T05:00:00Z', 15, '2026-03-02T08:15:00.000Z'],
  ['from a Sunday', '2026-03-08T12:00:00Z', 15, '2026-03-09T08:15:00.000Z'],
  ['over the weekend on which summer time begins', '2026-03-27T15:30:00Z', 60, '2026-03-30T07:30:00.000Z'],
])('open minutes %s', ([, from, minutes, until]) => {
  expect(after(from, minutes)).toBe(until)
})

test('an office without hours is always open', () => {
  expect(after('2026-03-08T23:30:00Z', 60, { ...berlin, hours: [] })).toBe('2026-03-09T00:30:00.000Z')
})

test('hours that overlap or come in any order count once', () => {
  const hours = [
    { day: 1, from: '12:00', until: '14:00' },
    { day: 1, from: '09:00', until: '13:00' },
    { day: 1, from: '10:00', until: '11:00' },
  ]
  expect(after('2026-03-02T09:00:00Z', 240, { hours, timezone: 'UTC' })).toBe('2026-03-02T13:00:00.000Z')
})

test('more minutes than a year of hours has are never over', () => {
  expect(
    after('2026-03-02T09:00:00Z', 40_000, {
      hours: [{ day: 1, from: '09:00', until: '09:30' }],
      timezone: 'UTC',
    }),
  ).toBe(undefined)
})
