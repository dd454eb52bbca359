import { expect, test } from 'vitest'
import { calendarOf } from '#test/radicale.ts'
import { expand } from './expansion.ts'
import { OCCURRENCES_MAX, occurrencesIn } from './occurrences.ts'

const march = { from: '2026-03-01T00:00:00Z', until: '2026-04-05T00:00:00Z', zone: 'Europe/Berlin' }
const UID = 'UID:one'

/** Beginnings and ends without what they share. */
function timesOf(lines: string[], zones: string[] = [], span = march): string[] {
  return occurrencesIn(calendarOf(lines, zones), span)
    .map(({ starts_at, ends_at }) => `${starts_at.slice(0, 16)} ${ends_at.slice(0, 16)}`)
    .toSorted()
}

test.for<[string, string[], string[]]>([
  [
    'a time in UTC',
    ['DTSTART:20260302T100000Z', 'DTEND:20260302T110000Z'],
    ['2026-03-02T10:00 2026-03-02T11:00'],
  ],
  [
    'a length in the place of an end',
    ['DTSTART:20260302T100000Z', 'DURATION:PT90M'],
    ['2026-03-02T10:00 2026-03-02T11:30'],
  ],
  [
    'a time of no zone is the owner’s',
    ['DTSTART:20260302T100000', 'DTEND:20260302T110000'],
    ['2026-03-02T09:00 2026-03-02T10:00'],
  ],
  [
    'a zone that is named and not described',
    ['DTSTART;TZID=America/New_York:20260302T100000', 'DTEND;TZID=America/New_York:20260302T110000'],
    ['2026-03-02T15:00 2026-03-02T16:00'],
  ],
  ['a whole day is the owner’s day', ['DTSTART;VALUE=DATE:20260302'], ['2026-03-01T23:00 2026-03-02T23:00']],
  [
    'days up to one that is free again, over a change of the clock',
    ['DTSTART;VALUE=DATE:20260328', 'DTEND;VALUE=DATE:20260330'],
    ['2026-03-27T23:00 2026-03-29T22:00'],
  ],
  ['a moment takes no time', ['DTSTART:20260302T100000Z'], []],
  ['what is free', ['DTSTART:20260302T100000Z', 'DTEND:20260302T110000Z', 'TRANSP:TRANSPARENT'], []],
  ['what is cancelled', ['DTSTART:20260302T100000Z', 'DTEND:20260302T110000Z', 'STATUS:CANCELLED'], []],
  ['what ends as the span begins', ['DTSTART:20260228T230000Z', 'DTEND:20260301T000000Z'], []],
  [
    'each week at the same time of the wall',
    [
      'DTSTART;TZID=Europe/Berlin:20250106T090000',
      'DTEND;TZID=Europe/Berlin:20250106T100000',
      'RRULE:FREQ=WEEKLY;BYDAY=MO',
    ],
    ['2026-03-02', '2026-03-09', '2026-03-16', '2026-03-23']
      .map(day => `${day}T08:00 ${day}T09:00`)
      .concat('2026-03-30T07:00 2026-03-30T08:00'),
  ],
  [
    'one that was left out and one that was added',
    [
      'DTSTART:20260302T080000Z',
      'DTEND:20260302T090000Z',
      'RRULE:FREQ=WEEKLY;COUNT=3',
      'EXDATE:20260309T080000Z',
      'RDATE:20260311T080000Z',
    ],
    ['2026-03-02', '2026-03-11', '2026-03-16'].map(day => `${day}T08:00 ${day}T09:00`),
  ],
])('%s', ([, lines, times]) => {
  expect(timesOf([UID, ...lines])).toEqual(times)
})

const weekly = [
  'BEGIN:VEVENT',
  UID,
  'DTSTART:20260302T080000Z',
  'DTEND:20260302T090000Z',
  'RRULE:FREQ=WEEKLY;COUNT=3',
  'END:VEVENT',
]

test('an occurrence that was moved is where it was moved to, also into the span from outside', () => {
  const moved = ['RECURRENCE-ID:20260309T080000Z', 'DTSTART:20260310T120000Z', 'DTEND:20260310T123000Z']
  const lines = [...weekly, 'BEGIN:VEVENT', UID, ...moved, 'END:VEVENT']
  expect(timesOf(lines)).toEqual([
    '2026-03-02T08:00 2026-03-02T09:00',
    '2026-03-10T12:00 2026-03-10T12:30',
    '2026-03-16T08:00 2026-03-16T09:00',
  ])
  const before = { ...march, from: '2026-03-01T00:00:00Z', until: '2026-03-01T12:00:00Z' }
  const early = ['RECURRENCE-ID:20260309T080000Z', 'DTSTART:20260301T080000Z', 'DTEND:20260301T090000Z']
  expect(timesOf([...weekly, 'BEGIN:VEVENT', UID, ...early, 'END:VEVENT'], [], before)).toEqual([
    '2026-03-01T08:00 2026-03-01T09:00',
  ])
})

test('an occurrence that was cancelled or made free leaves the others', () => {
  const off = (word: string) => [
    ...weekly,
    'BEGIN:VEVENT',
    UID,
    'RECURRENCE-ID:20260309T080000Z',
    'DTSTART:20260309T080000Z',
    'DTEND:20260309T090000Z',
    word,
    'END:VEVENT',
  ]
  for (const word of ['STATUS:CANCELLED', 'TRANSP:TRANSPARENT'])
    expect(timesOf(off(word))).toEqual([
      '2026-03-02T08:00 2026-03-02T09:00',
      '2026-03-16T08:00 2026-03-16T09:00',
    ])
})

test('one occurrence alone, as somebody has it who was invited to that one', () => {
  const lines = ['BEGIN:VEVENT', UID, 'RECURRENCE-ID:20260309T080000Z', 'DTSTART:20260309T080000Z']
  expect(timesOf([...lines, 'DTEND:20260309T090000Z', 'END:VEVENT'])).toEqual([
    '2026-03-09T08:00 2026-03-09T09:00',
  ])
})

test('a zone of a name that nobody knows is as the event describes it', () => {
  const zone = [
    'BEGIN:VTIMEZONE',
    'TZID:Our Office',
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    'TZOFFSETFROM:+0530',
    'TZOFFSETTO:+0530',
    'END:STANDARD',
    'END:VTIMEZONE',
  ]
  const lines = [UID, 'DTSTART;TZID=Our Office:20260302T100000', 'DTEND;TZID=Our Office:20260302T110000']
  expect(timesOf(lines, zone)).toEqual(['2026-03-02T04:30 2026-03-02T05:30'])
})

test('what repeats without an end is counted up to a bound, and what never comes holds up nobody', async () => {
  const one = (uid: string, ...lines: string[]) =>
    calendarOf([`UID:${uid}`, 'DTSTART:20260302T100000Z', 'DTEND:20260302T100100Z', ...lines])
  const endless = one('endless', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30')
  const busy = await expand([one('a'), endless, 'no calendar at all', one('b')], march)
  expect(busy.map(({ uid }) => uid)).toEqual(['a', 'b'])
  expect(await expand([one('often', 'RRULE:FREQ=MINUTELY')], march)).toHaveLength(OCCURRENCES_MAX)
})
