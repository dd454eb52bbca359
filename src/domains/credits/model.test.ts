import { describe, expect, test } from 'vitest'
import { givenBack, nextPeriod, periodAt, periodDue, planAt, renewal, resetDayOf, takenBy } from './model.ts'

describe('a period begins on the day of the month on which the team was made', () => {
  test.for([
    { now: '2026-11-15T00:00:00.000Z', day: 15, period: '2026-11-15' },
    { now: '2026-11-14T23:59:59.999Z', day: 15, period: '2026-10-15' },
    { now: '2026-01-10T12:00:00.000Z', day: 15, period: '2025-12-15' },
    { now: '2026-01-01T00:00:00.000Z', day: 1, period: '2026-01-01' },
    { now: '2025-12-31T23:59:59.999Z', day: 1, period: '2025-12-01' },
  ])('at $now it is $period, for day $day', ({ now, day, period }) => {
    expect(periodAt(now, day)).toBe(period)
  })

  test.for([
    { now: '2026-02-27T23:59:59.999Z', day: 31, period: '2026-01-31' },
    { now: '2026-02-28T00:00:00.000Z', day: 31, period: '2026-02-28' },
    { now: '2026-03-30T23:59:59.999Z', day: 31, period: '2026-02-28' },
    { now: '2026-03-31T00:00:00.000Z', day: 31, period: '2026-03-31' },
    { now: '2026-04-30T00:00:00.000Z', day: 31, period: '2026-04-30' },
    { now: '2028-02-28T23:59:59.999Z', day: 30, period: '2028-01-30' },
    { now: '2028-02-29T00:00:00.000Z', day: 30, period: '2028-02-29' },
    { now: '2028-02-29T00:00:00.000Z', day: 29, period: '2028-02-29' },
    { now: '2026-02-28T00:00:00.000Z', day: 29, period: '2026-02-28' },
    { now: '2100-02-28T00:00:00.000Z', day: 29, period: '2100-02-28' },
  ])('in a short month on its last: at $now it is $period, for day $day', ({ now, day, period }) => {
    expect(periodAt(now, day)).toBe(period)
  })

  test('the 31st comes back after every short month, through a leap year', () => {
    const begins = ['2027-12-31']
    while (begins.length < 15) begins.push(nextPeriod(begins.at(-1)!, 31))
    expect(begins.slice(1)).toEqual([
      '2028-01-31',
      '2028-02-29',
      '2028-03-31',
      '2028-04-30',
      '2028-05-31',
      '2028-06-30',
      '2028-07-31',
      '2028-08-31',
      '2028-09-30',
      '2028-10-31',
      '2028-11-30',
      '2028-12-31',
      '2029-01-31',
      '2029-02-28',
    ])
  })

  test('every day of five years is in exactly one period, whatever the day', () => {
    const astray: string[] = []
    for (let day = 1; day <= 31; day++) {
      let period = periodAt('2023-06-15T12:00:00.000Z', day)
      for (let at = Date.parse('2023-06-15T12:00:00.000Z'); at < Date.parse('2028-06-15'); at += 86_400_000) {
        const now = new Date(at).toISOString()
        const next = nextPeriod(period, day)
        if (now.slice(0, 10) >= next) period = next
        if (periodAt(now, day) !== period) astray.push(`${now} for ${day}`)
      }
    }
    expect(astray).toEqual([])
  })

  test('the day is the one in UTC', () => {
    expect(resetDayOf('2026-01-31T23:59:59.999Z')).toBe(31)
    expect(resetDayOf('2026-02-01T00:00:00.000Z')).toBe(1)
  })
})

describe('a quota is due', () => {
  test.for([
    { granted: null, now: '2026-03-20T00:00:00.000Z', due: '2026-03-15', words: 'at the beginning' },
    { granted: '2026-03-15', now: '2026-04-14T23:59:59.999Z', due: undefined, words: 'not before its day' },
    { granted: '2026-03-15', now: '2026-04-15T00:00:00.000Z', due: '2026-04-15', words: 'on its day' },
    {
      granted: '2026-03-15',
      now: '2026-09-20T00:00:00.000Z',
      due: '2026-09-15',
      words: 'once after half a year',
    },
    {
      granted: '2026-04-15',
      now: '2026-04-12T00:00:00.000Z',
      due: undefined,
      words: 'not for a clock set back by days',
    },
    {
      granted: '2027-04-15',
      now: '2026-04-20T00:00:00.000Z',
      due: '2026-04-15',
      words: 'for a clock that was a year ahead',
    },
  ])('$words', ({ granted, now, due }) => {
    expect(periodDue(granted, now, 15)).toBe(due)
  })
})

describe('purses', () => {
  test("the month's are used before those that were bought", () => {
    expect(takenBy({ monthly: 10, purchased: 5 }, 4)).toEqual([{ kind: 'use', purse: 'monthly', amount: -4 }])
    expect(takenBy({ monthly: 10, purchased: 5 }, 12)).toEqual([
      { kind: 'use', purse: 'monthly', amount: -10 },
      { kind: 'use', purse: 'purchased', amount: -2 },
    ])
    expect(takenBy({ monthly: 0, purchased: 5 }, 5)).toEqual([
      { kind: 'use', purse: 'purchased', amount: -5 },
    ])
    expect(takenBy({ monthly: 10, purchased: 5 }, 16)).toBeUndefined()
  })

  test("a new month lets expire what is left of the month's, and nothing that was bought", () => {
    expect(renewal(7, 100)).toEqual([
      { kind: 'expiry', purse: 'monthly', amount: -7 },
      { kind: 'quota', purse: 'monthly', amount: 100 },
    ])
    expect(renewal(0, 100)).toEqual([{ kind: 'quota', purse: 'monthly', amount: 100 }])
    expect(renewal(0, 0)).toEqual([])
  })

  test("what was bought comes back whenever; the month's only while its month lasts", () => {
    const uses = [
      { purse: 'monthly' as const, amount: -3, created_at: '2026-04-14T23:59:59.999Z' },
      { purse: 'purchased' as const, amount: -2, created_at: '2026-04-14T23:59:59.999Z' },
    ]
    expect(givenBack(uses, '2026-03-15')).toEqual([
      { kind: 'refund', purse: 'monthly', amount: 3 },
      { kind: 'refund', purse: 'purchased', amount: 2 },
    ])
    expect(givenBack(uses, '2026-04-15')).toEqual([{ kind: 'refund', purse: 'purchased', amount: 2 }])
  })
})

test('a trial is over at its last millisecond, and an active plan never', () => {
  const trial = { plan: 'TRIAL' as const, trial_ends_at: '2026-03-16T09:00:00.000Z' }
  expect(planAt(trial, '2026-03-16T08:59:59.999Z')).toBe('TRIAL')
  expect(planAt(trial, '2026-03-16T09:00:00.000Z')).toBe('EXPIRED')
  expect(planAt({ ...trial, plan: 'ACTIVE' }, '2030-01-01T00:00:00.000Z')).toBe('ACTIVE')
})
