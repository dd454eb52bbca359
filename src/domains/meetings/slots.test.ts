import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { full } from '#test/tier.ts'
import { freeSlots, isFree, isOffered, type Rules, type Span, type Taken } from './slots.ts'
import { SLOT_STEP_MIN } from './values.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const plain: Rules = {
  timezone: 'UTC',
  hours: [1, 2, 3, 4, 5, 6, 7].map(day => ({ day, from: '09:00', until: '11:00' })),
  exceptions: [],
  buffer_before_min: 0,
  buffer_after_min: 0,
  notice_min: 0,
  horizon_days: 365,
  per_day_max: null,
}
const nothing: Taken = { meetings: [], busy: [] }
const at = (text: string) => Date.parse(`${text}Z`)
const span = (from: string, until: string): Span => ({ from: at(from), until: at(until) })

type Asked = { now?: string; from: string; until: string; duration_min?: number }

/** Beginnings as text, in UTC. */
function begins(rules: Partial<Rules>, { now = '2026-03-01T00:00', ...asked }: Asked, taken = nothing) {
  const slots = freeSlots({ ...plain, ...rules }, taken, {
    now: at(now),
    from: at(asked.from),
    until: at(asked.until),
    duration_min: asked.duration_min ?? 60,
  })
  return slots.map(({ from }) => new Date(from).toISOString().slice(0, 16))
}
const monday = { from: '2026-03-02T00:00', until: '2026-03-03T00:00' }
const on = (day: string) => ({ from: `${day}T00:00`, until: `${day}T23:59` })
const times = (list: string[]) => list.map(text => text.slice(11))

test('a day offers every quarter of an hour from which the meeting still fits', () => {
  expect(times(begins({}, monday))).toEqual(['09:00', '09:15', '09:30', '09:45', '10:00'])
  expect(times(begins({}, { ...monday, duration_min: 120 }))).toEqual(['09:00'])
  expect(begins({}, { ...monday, duration_min: 121 })).toEqual([])
})

test('the hours of the day of the week count, several on one day as well', () => {
  const hours = [
    { day: 1, from: '09:00', until: '10:00' },
    { day: 1, from: '14:00', until: '15:00' },
  ]
  expect(times(begins({ hours }, monday))).toEqual(['09:00', '14:00'])
  expect(begins({ hours }, on('2026-03-03'))).toEqual([])
})

test('until midnight is until the end of the day', () => {
  const hours = [{ day: 1, from: '23:00', until: '24:00' }]
  expect(begins({ hours }, { from: '2026-03-02T00:00', until: '2026-03-04T00:00' })).toEqual([
    '2026-03-02T23:00',
  ])
})

test('a day that is different has its own hours, and one without any has none', () => {
  const exceptions = [
    { day: '2026-03-02', hours: [{ from: '18:00', until: '19:00' }] },
    { day: '2026-03-03', hours: [] },
  ]
  const found = begins({ exceptions }, { from: '2026-03-02T00:00', until: '2026-03-05T00:00' })
  expect(found.filter(text => text < '2026-03-04')).toEqual(['2026-03-02T18:00'])
  expect(found.filter(text => text >= '2026-03-04')).toHaveLength(5)
})

test('the leap day is a day', () => {
  expect(begins({}, { now: '2028-02-01T00:00', ...on('2028-02-29') })).toHaveLength(5)
  expect(begins({ horizon_days: 1 }, { now: '2028-02-28T12:00', ...on('2028-02-29') })).toHaveLength(5)
  expect(begins({ horizon_days: 1 }, { now: '2028-02-28T12:00', ...on('2028-03-01') })).toEqual([])
})

test('what is touched is no hindrance, what is overlapped by a minute is one', () => {
  const meetings = [span('2026-03-02T09:15', '2026-03-02T09:45')]
  expect(times(begins({}, monday, { meetings, busy: [] }))).toEqual(['09:45', '10:00'])
  const later = [span('2026-03-02T09:15', '2026-03-02T09:46')]
  expect(times(begins({}, monday, { meetings: later, busy: [] }))).toEqual(['10:00'])
  const rules = { ...plain }
  const hour = span('2026-03-02T10:00', '2026-03-02T11:00')
  for (const [from, until, free] of [
    ['2026-03-02T09:00', '2026-03-02T10:00', true],
    ['2026-03-02T09:01', '2026-03-02T10:01', false],
    ['2026-03-02T11:00', '2026-03-02T12:00', true],
    ['2026-03-02T10:59', '2026-03-02T11:59', false],
    ['2026-03-02T10:20', '2026-03-02T10:30', false],
    ['2026-03-02T09:00', '2026-03-02T12:00', false],
  ] as const)
    expect([from, isFree(rules, { meetings: [hour], busy: [] }, span(from, until))]).toEqual([from, free])
})

test('between two meetings lies the longer of the two buffers, to the minute', () => {
  const rules = { ...plain, buffer_before_min: 10, buffer_after_min: 20 }
  const taken = { meetings: [span('2026-03-02T10:00', '2026-03-02T10:30')], busy: [] }
  expect(isFree(rules, taken, span('2026-03-02T10:50', '2026-03-02T11:00'))).toBe(true)
  expect(isFree(rules, taken, span('2026-03-02T10:49', '2026-03-02T11:00'))).toBe(false)
  expect(isFree(rules, taken, span('2026-03-02T09:30', '2026-03-02T09:40'))).toBe(true)
  expect(isFree(rules, taken, span('2026-03-02T09:30', '2026-03-02T09:41'))).toBe(false)
})

test('what another calendar has is kept away from by the buffer on its side', () => {
  const rules = { ...plain, buffer_before_min: 10, buffer_after_min: 20 }
  const taken = { meetings: [], busy: [span('2026-03-02T10:00', '2026-03-02T10:30')] }
  expect(isFree(rules, taken, span('2026-03-02T10:40', '2026-03-02T11:00'))).toBe(true)
  expect(isFree(rules, taken, span('2026-03-02T10:39', '2026-03-02T11:00'))).toBe(false)
  expect(isFree(rules, taken, span('2026-03-02T09:30', '2026-03-02T09:40'))).toBe(true)
  expect(isFree(rules, taken, span('2026-03-02T09:30', '2026-03-02T09:41'))).toBe(false)
})

test('the notice ends exactly when it says', () => {
  const rules = { notice_min: 60 }
  expect(times(begins(rules, { ...monday, now: '2026-03-02T08:15' }))[0]).toBe('09:15')
  expect(times(begins(rules, { ...monday, now: '2026-03-02T08:15:00.001' }))[0]).toBe('09:30')
})

test('the horizon ends with the last moment of its last day where the host is', () => {
  const rules = {
    timezone: 'America/New_York',
    horizon_days: 2,
    hours: [{ day: 4, from: '00:00', until: '24:00' }],
  }
  // Late on Monday there, Tuesday already elsewhere: Wednesday is the last day.
  expect(
    begins(rules, { now: '2026-03-03T02:00', from: '2026-03-05T05:00', until: '2026-03-06T00:00' }),
  ).toEqual([])
  const found = begins(rules, {
    now: '2026-03-03T05:00',
    from: '2026-03-05T00:00',
    until: '2026-03-07T00:00',
  })
  expect(found[0]).toBe('2026-03-05T05:00')
  expect(found.at(-1)).toBe('2026-03-06T04:00')
})

test('a day is full when it has as many meetings as its host wants, counted where the host is', () => {
  const rules = { per_day_max: 2, timezone: 'Europe/Berlin' }
  const one = span('2026-03-01T23:00', '2026-03-01T23:30')
  const two = span('2026-03-02T22:30', '2026-03-02T22:59')
  expect(begins(rules, monday, { meetings: [one], busy: [] })).toHaveLength(5)
  expect(begins(rules, monday, { meetings: [one, two], busy: [] })).toEqual([])
  // The one a minute earlier is of the day before, the one an hour later of the day after.
  const early = span('2026-03-01T22:59', '2026-03-01T23:10')
  const late = span('2026-03-02T23:00', '2026-03-02T23:30')
  expect(begins(rules, monday, { meetings: [early, two], busy: [] })).toHaveLength(5)
  expect(begins(rules, monday, { meetings: [one, late], busy: [] })).toHaveLength(5)
  expect(begins(rules, monday, { meetings: [one], busy: [two] })).toHaveLength(5)
})

describe('a day on which the clock changes', () => {
  const early = { hours: [1, 2, 3, 4, 5, 6, 7].map(day => ({ day, from: '01:00', until: '04:00' })) }
  test.for([
    ['Europe/Berlin', '2026-03-29', ['00:00', '01:00'], 'an hour is left out'],
    ['Europe/Berlin', '2026-10-25', ['23:00', '00:00', '01:00', '02:00'], 'an hour comes twice'],
    ['America/New_York', '2026-03-08', ['06:00', '07:00'], 'an hour is left out'],
    ['America/New_York', '2026-11-01', ['05:00', '06:00', '07:00', '08:00'], 'an hour comes twice'],
    ['Australia/Lord_Howe', '2026-10-04', ['14:30', '15:30'], 'half an hour is left out'],
    ['Australia/Lord_Howe', '2026-04-05', ['14:00', '15:00', '16:00'], 'half an hour comes twice'],
  ] as const)('%s on %s: %s', ([timezone, day, hours]) => {
    const around = {
      from: new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 16),
      until: `${day}T23:59`,
    }
    const found = begins({ ...early, timezone }, around)
    const local = (text: string) =>
      new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' }).format(at(text))
    const ofDay = found.filter(text => local(text) === day)
    expect(times(ofDay).filter((_, index) => index % 4 === 0)).toEqual(hours)
  })

  test('nine in the morning is nine in the morning on both sides of it', () => {
    const rules = { timezone: 'Europe/Berlin' }
    expect(times(begins(rules, on('2026-03-28')))[0]).toBe('08:00')
    expect(times(begins(rules, on('2026-03-29')))[0]).toBe('07:00')
    expect(times(begins(rules, on('2026-10-24')))[0]).toBe('07:00')
    expect(times(begins(rules, on('2026-10-25')))[0]).toBe('08:00')
  })
})

test('it is offered what is among the slots, and nothing else', () => {
  const now = at('2026-03-01T00:00')
  expect(isOffered(plain, nothing, span('2026-03-02T09:15', '2026-03-02T10:15'), now)).toBe(true)
  expect(isOffered(plain, nothing, span('2026-03-02T09:16', '2026-03-02T10:16'), now)).toBe(false)
  expect(isOffered(plain, nothing, span('2026-03-02T10:15', '2026-03-02T11:15'), now)).toBe(false)
})

/** The same said minute by minute, with nothing but the calendar of the language. */
function naively(rules: Rules, taken: Taken, asked: Span & { now: number; duration_min: number }): number[] {
  const walls = new Map<number, { day: string; time: string }>()
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: rules.timezone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const wall = (ms: number) => {
    let known = walls.get(ms)
    if (!known) {
      const [day, time] = format.format(ms).split(' ') as [string, string]
      walls.set(ms, (known = { day, time }))
    }
    return known
  }
  const minutes: number[] = []
  for (let ms = asked.from - 2 * DAY_MS; ms < asked.until + 2 * DAY_MS; ms += MINUTE_MS) minutes.push(ms)
  const between = Math.max(rules.buffer_before_min, rules.buffer_after_min)
  const hits = (spans: readonly Span[], ms: number) =>
    spans.some(({ from, until }) => ms >= from && ms < until)
  const isClear = (begin: number) => {
    for (let m = -between; m < asked.duration_min + between; m++)
      if (hits(taken.meetings, begin + m * MINUTE_MS)) return false
    for (let m = -rules.buffer_before_min; m < asked.duration_min + rules.buffer_after_min; m++)
      if (hits(taken.busy, begin + m * MINUTE_MS)) return false
    return true
  }
  const lastDay = new Date(Date.parse(wall(asked.now).day) + rules.horizon_days * DAY_MS)
    .toISOString()
    .slice(0, 10)
  const found = new Set<number>()
  for (const day of new Set(minutes.map(ms => wall(ms).day))) {
    const here = minutes.filter(ms => wall(ms).day === day)
    const weekday = new Date(day).getUTCDay() || 7
    const other = rules.exceptions.find(exception => exception.day === day)
    const count = taken.meetings.filter(({ from }) => wall(from).day === day).length
    if (day > lastDay || (rules.per_day_max !== null && count >= rules.per_day_max)) continue
    for (const { from, until } of other ? other.hours : rules.hours.filter(each => each.day === weekday)) {
      const opens = here.find(ms => wall(ms).time >= from)
      const closes = here.find(ms => wall(ms).time >= until) ?? here.at(-1)! + MINUTE_MS
      if (opens === undefined) continue
      for (let ms = opens; ms + asked.duration_min * MINUTE_MS <= closes; ms += SLOT_STEP_MIN * MINUTE_MS)
        if (
          ms >= asked.from &&
          ms < asked.until &&
          ms >= asked.now + rules.notice_min * MINUTE_MS &&
          isClear(ms)
        )
          found.add(ms)
    }
  }
  return [...found].toSorted((a, b) => a - b)
}

const minuteOfDay = fc.integer({ min: 0, max: 24 * 60 })
const clockText = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
const opening = fc
  .tuple(minuteOfDay, minuteOfDay)
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => ({ from: clockText(Math.min(a, b)), until: clockText(Math.max(a, b)) }))
/** Two days, of which one has a change of the clock in one of the zones. */
const starts = [
  '2026-03-28',
  '2026-10-24',
  '2026-03-07',
  '2026-10-31',
  '2026-10-03',
  '2026-04-04',
  '2028-02-28',
]
const around = fc.array(
  fc.tuple(fc.integer({ min: -12 * 60, max: 60 * 60 }), fc.integer({ min: 1, max: 300 })),
  { maxLength: 6 },
)

test('slots are what a clerk would find who went through every minute', () => {
  fc.assert(
    fc.property(
      fc.record({
        start: fc.constantFrom(...starts),
        timezone: fc.constantFrom(
          'UTC',
          'Europe/Berlin',
          'America/New_York',
          'Australia/Lord_Howe',
          'Asia/Kathmandu',
        ),
        hours: fc.array(fc.tuple(fc.integer({ min: 1, max: 7 }), opening), { maxLength: 10 }),
        away: fc.option(fc.array(opening, { maxLength: 2 }), { nil: undefined }),
        buffers: fc.tuple(fc.constantFrom(0, 1, 5, 15, 30), fc.constantFrom(0, 1, 10, 45)),
        notice_min: fc.constantFrom(0, 7, 120, 1_440),
        horizon_days: fc.integer({ min: 1, max: 4 }),
        per_day_max: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
        duration_min: fc.constantFrom(5, 15, 30, 50, 60, 120),
        nowAgo: fc.integer({ min: 0, max: 2_000 }),
        meetings: around,
        busy: around,
      }),
      given => {
        const from = Date.parse(given.start)
        const spans = (list: [number, number][]) =>
          list.map(([begin, length]) => ({
            from: from + begin * MINUTE_MS,
            until: from + (begin + length) * MINUTE_MS,
          }))
        const rules: Rules = {
          timezone: given.timezone,
          hours: given.hours.map(([day, open]) => ({ day, ...open })),
          exceptions: given.away ? [{ day: given.start, hours: given.away }] : [],
          buffer_before_min: given.buffers[0],
          buffer_after_min: given.buffers[1],
          notice_min: given.notice_min,
          horizon_days: given.horizon_days,
          per_day_max: given.per_day_max,
        }
        const taken = { meetings: spans(given.meetings), busy: spans(given.busy) }
        const asked = {
          now: from - given.nowAgo * MINUTE_MS,
          from,
          until: from + 2 * DAY_MS,
          duration_min: given.duration_min,
        }
        expect(freeSlots(rules, taken, asked).map(slot => slot.from)).toEqual(naively(rules, taken, asked))
      },
    ),
    { numRuns: full ? 150 : 40 },
  )
})
