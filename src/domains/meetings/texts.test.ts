import { expect, test } from 'vitest'
import { manyLines, oneLine, timeIn, timesFor } from './texts.ts'

const half = (starts_at: string) => ({
  starts_at,
  ends_at: new Date(Date.parse(starts_at) + 30 * 60_000).toISOString(),
})

test.for([
  ['Europe/Berlin', '2026-03-29T00:45:00Z', 'Sunday, 29 March 2026, 01:45 – 03:15 (Europe/Berlin)'],
  ['Europe/Berlin', '2026-10-25T00:45:00Z', 'Sunday, 25 October 2026, 02:45 – 02:15 (Europe/Berlin)'],
  ['America/New_York', '2026-03-08T06:45:00Z', 'Sunday, 8 March 2026, 01:45 – 03:15 (America/New_York)'],
  ['America/New_York', '2026-11-01T05:45:00Z', 'Sunday, 1 November 2026, 01:45 – 01:15 (America/New_York)'],
  [
    'Australia/Lord_Howe',
    '2026-10-03T15:15:00Z',
    'Sunday, 4 October 2026, 01:45 – 02:45 (Australia/Lord_Howe)',
  ],
  [
    'Australia/Lord_Howe',
    '2026-04-04T14:45:00Z',
    'Sunday, 5 April 2026, 01:45 – 01:45 (Australia/Lord_Howe)',
  ],
  ['UTC', '2028-02-29T23:45:00Z', 'Tuesday, 29 February 2028, 23:45 – Wednesday, 1 March 2028, 00:15 (UTC)'],
] as const)('in %s the clock shows at %s: %s', ([zone, at, text]) =>
  expect(timeIn(zone, half(at))).toBe(text),
)

test('two zones that show the same time are said once, and the reader’s own comes first', () => {
  const times = half('2026-03-03T10:00:00Z')
  expect(timesFor('Europe/Berlin', 'Europe/Paris', times)).toEqual([timeIn('Europe/Berlin', times)])
  // Between two changes of the clock New York is an hour nearer for three weeks.
  const near = half('2026-03-10T13:00:00Z')
  expect(timesFor('America/New_York', 'Europe/Berlin', near)).toEqual([
    'Tuesday, 10 March 2026, 09:00 – 09:30 (America/New_York)',
    'Tuesday, 10 March 2026, 14:00 – 14:30 (Europe/Berlin)',
  ])
})

test('texts are cut where a character ends', () => {
  expect(oneLine('a\r\nb\u2028c\0', 10)).toBe('a b c')
  expect(oneLine('aa🧑‍🚀', 4)).toBe('aa…')
  expect(manyLines('a\r\nb\rc\0d')).toBe('a\nb\nc d')
  expect(oneLine('abcd', 4)).toBe('abcd')
})
