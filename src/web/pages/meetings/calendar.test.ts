import { describe, expect, test } from 'vitest'
import type { Meeting } from '#domains/meetings/contract.ts'
import { ApiProblem } from '../../problem.ts'
import { addDays, dateOf, dayOf, mondayOf, shownDays } from '../../records/meetings/days.ts'
import { placed } from '../../records/meetings/lanes.ts'
import { takenInstead } from '../../records/meetings/taken.ts'
import { meetingsSearch } from '../../records/meetings/search.ts'
import { isOffered } from '../../records/meetings/when.ts'
import { minutesInWords, syncWords } from '../../records/meetings/words.ts'
import { isWithin, workingOn } from '../../records/meetings/working-hours.ts'
import { guestStart, guestTimes, instantIn, ownZone, placeOf, wallOf } from '../../ui/zones.ts'

const at = (day: string, minutes: number) => {
  const date = dateOf(day)
  date.setHours(0, minutes)
  return date.toISOString()
}
const span = (from: number, until: number, day = '2026-05-12') => ({
  starts_at: at(day, from * 60),
  ends_at: at(day, until * 60),
})

describe('days', () => {
  test('a week begins on Monday, across months and on the days when clocks change', () => {
    expect(mondayOf('2026-05-17')).toBe('2026-05-11')
    expect(mondayOf('2026-05-11')).toBe('2026-05-11')
    expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
    expect(shownDays('2026-03-01', false)).toHaveLength(7)
    expect(shownDays('2026-03-01', false).at(-1)).toBe('2026-03-01')
    expect(shownDays('2026-03-01', true)).toEqual(['2026-03-01'])
    expect(dayOf(dateOf('2026-12-31', 1))).toBe('2027-01-01')
  })
})

describe('what stands on a day', () => {
  test('what overlaps stands side by side, what does not has the whole width', () => {
    const items = [span(9, 10), span(9.5, 11), span(10, 10.5), span(12, 13)]
    const lanes = placed(items, dateOf('2026-05-12')).map(({ lane, lanes }) => [lane, lanes])
    expect(lanes).toEqual([
      [0, 2],
      [1, 2],
      [0, 2],
      [0, 1],
    ])
  })

  test('what goes past midnight is cut there, and stands on both days', () => {
    const night = [{ starts_at: at('2026-05-12', 23 * 60), ends_at: at('2026-05-13', 60) }]
    expect(placed(night, dateOf('2026-05-12'))).toMatchObject([{ from: 23 * 60, until: 24 * 60 }])
    expect(placed(night, dateOf('2026-05-13'))).toMatchObject([{ from: 0, until: 60 }])
    expect(placed(night, dateOf('2026-05-14'))).toEqual([])
  })
})

describe('time zones', () => {
  test('the clock of a zone is read and set exactly, also on the day it changes', () => {
    expect(new Date(instantIn('2026-03-29', '09:00', 'Europe/Berlin')).toISOString()).toBe(
      '2026-03-29T07:00:00.000Z',
    )
    expect(new Date(instantIn('2026-03-28', '09:00', 'Europe/Berlin')).toISOString()).toBe(
      '2026-03-28T08:00:00.000Z',
    )
    expect(wallOf(Date.parse('2026-05-12T22:30:00Z'), 'Asia/Tokyo')).toEqual({
      day: '2026-05-13',
      time: '07:30',
    })
  })

  test("the guest's time is told where it differs, with the day where that differs too", () => {
    const noon = { starts_at: '2026-05-12T12:00:00.000Z', ends_at: '2026-05-12T12:30:00.000Z' }
    expect(guestTimes(noon, ownZone)).toBeUndefined()
    const far = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].map(zone => guestStart(noon.starts_at, zone))
    expect(far.some(told => /^(Mon|Wed) /.test(told ?? ''))).toBe(true)
    expect(placeOf('America/Argentina/Buenos_Aires')).toBe('Buenos Aires')
  })
})

describe('working hours', () => {
  const hours = [{ day: 2, from: '09:00', until: '17:00' }]
  const rules = { timezone: ownZone, hours, exceptions: [{ day: '2026-05-19', hours: [] }] }

  test('they lie where their own zone has them', () => {
    expect(workingOn('2026-05-12', rules)).toEqual([{ from: 9 * 60, until: 17 * 60 }])
    expect(workingOn('2026-05-13', rules)).toEqual([])
    // A day off.
    expect(workingOn('2026-05-19', rules)).toEqual([])
  })

  test('a meeting lies within them or not', () => {
    const within = ({ starts_at, ends_at }: { starts_at: string; ends_at: string }) =>
      isWithin(Date.parse(starts_at), Date.parse(ends_at), rules)
    expect(within(span(9, 10))).toBe(true)
    expect(within(span(16.5, 17.5))).toBe(false)
    expect(within(span(9, 10, '2026-05-19'))).toBe(false)
  })

  test('what begins between two free times that touch is free as well', () => {
    const slots = [span(9, 9.5), span(9.25, 9.75), span(11, 11.5)]
    const offered = ({ starts_at, ends_at }: { starts_at: string; ends_at: string }) =>
      isOffered(slots, starts_at, ends_at)
    expect(offered(span(9.1, 9.6))).toBe(true)
    expect(offered(span(9.5, 10))).toBe(false)
    expect(offered(span(8.9, 9.4))).toBe(false)
  })
})

test('a time that is taken brings the times to take instead', () => {
  const problem = (code: string) =>
    new ApiProblem({
      status: 409,
      code,
      title: 'Conflict',
      errors: [
        { path: 'starts_at', message: 'is taken' },
        { path: 'starts_at', message: '2026-05-12T09:00:00.000Z is free' },
      ],
    })
  expect(takenInstead(problem('slot_taken'))).toEqual(['2026-05-12T09:00:00.000Z'])
  expect(takenInstead(problem('meeting_over'))).toBeUndefined()
})

test('only what the API understands gets out of the URL', () => {
  const id = 'a'.repeat(24)
  expect(
    meetingsSearch({ view: 'month', day: '2026-13-01', status: 'GONE', meeting: 'x', host_id: 'x' }),
  ).toEqual({})
  expect(
    meetingsSearch({ view: 'agenda', day: '2026-05-12', past: 'true', status: 'HELD', host_id: [id, id] }),
  ).toEqual({ view: 'agenda', day: '2026-05-12', past: true, status: ['HELD'], host_id: [id] })
})

test('lengths and calendars in words', () => {
  expect([30, 60, 90].map(minutesInWords)).toEqual(['30 min', '1 h', '1 h 30 min'])
  const meeting = { sync_state: 'FAILED', sync_note: null, status: 'BOOKED' } as Meeting
  expect(syncWords(meeting)).toMatchObject({ label: 'Sync failed' })
  expect(syncWords({ ...meeting, sync_state: 'NONE' })).toBeUndefined()
})
