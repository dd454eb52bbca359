import { expect, test } from 'vitest'
import type { Availability } from '#domains/meetings/contract.ts'
import { availabilityChoices } from './availability-choices.ts'
import { changeOf, faultsOf, fieldsOf, nextRange, readUntil, shownUntil } from './availability-fields.ts'

const availability: Availability = {
  slug: 'ada',
  active: false,
  timezone: 'UTC',
  hours: [
    { day: 1, from: '13:00', until: '17:00' },
    { day: 1, from: '09:00', until: '12:00' },
    { day: 2, from: '09:00', until: '24:00' },
  ],
  exceptions: [{ day: '2026-12-24', hours: [] }],
  duration_min: 30,
  buffer_before_min: 0,
  buffer_after_min: 0,
  notice_min: 240,
  horizon_days: 60,
  per_day_max: null,
  title: 'Meeting',
  location: null,
  welcome: null,
  booking_url: 'https://example.test/book/ada',
  feed_url: 'https://example.test/calendar/x',
  updated_at: '2026-05-12T09:00:00.000Z',
}

test('what nobody touched is no change, in whatever order it came', () => {
  expect(changeOf(availability, fieldsOf(availability))).toBeUndefined()
})

test('only what is different is sent', () => {
  const fields = fieldsOf(availability)
  fields.week[2] = [{ from: '10:00', until: '11:00' }]
  const change = changeOf(availability, { ...fields, location: ' Room 1 ' })
  expect(change).toEqual({
    location: 'Room 1',
    hours: [
      { day: 1, from: '09:00', until: '12:00' },
      { day: 1, from: '13:00', until: '17:00' },
      { day: 2, from: '09:00', until: '24:00' },
      { day: 3, from: '10:00', until: '11:00' },
    ],
  })
})

test('what the server would refuse is told at its field', () => {
  const fields = fieldsOf(availability)
  fields.week[0] = [
    { from: '09:00', until: '12:00' },
    { from: '11:00', until: '13:00' },
  ]
  fields.week[1] = [{ from: '', until: '10:00' }]
  const twice = [...fields.exceptions, { day: '2026-12-24', hours: [] }, { day: '', hours: [] }]
  const faults = faultsOf({ ...fields, slug: 'A B', title: ' ', exceptions: twice })
  expect(faults.map(({ path }) => path)).toEqual([
    'slug',
    'title',
    'week.0',
    'week.1',
    'exceptions.1',
    'exceptions.2',
  ])
})

test('the end of a day is its midnight', () => {
  expect(shownUntil('24:00')).toBe('00:00')
  expect(readUntil('00:00')).toBe('24:00')
  expect(nextRange([{ from: '09:00', until: '21:30' }])).toEqual({ from: '22:00', until: '24:00' })
  expect(nextRange([])).toEqual({ from: '09:00', until: '17:00' })
})

test('a number that was set elsewhere can be chosen too', () => {
  expect(availabilityChoices('duration_min', 25).map(({ label }) => label)).toContain('25 min')
  expect(availabilityChoices('per_day_max', null)[0]).toEqual({ value: '', label: 'No limit' })
})
