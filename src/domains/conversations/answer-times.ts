import type { Answer } from '#platform/answer.ts'
import { isoAt, tidyInstant } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { csvAnswer, exportPages } from '#platform/csv-export.ts'
import { invalid } from '#platform/problem.ts'
import { addDays, dayOf, instantOf, startOfNextDay } from '#platform/zone.ts'
import { membersAmong } from '#domains/identity/members.ts'
import { findMailboxAddresses } from '#domains/mailboxes/answer-targets.ts'
import type { AnswerFigures, AnswerTimes, AnswerTimesQuery, AnswerTimesRow } from './answer-times-contract.ts'
import { countOf, percentilesOf, sumOf } from './answer-percentiles.ts'
import * as store from './answer-times-store.ts'
import type { Counted, Grouping, KeyedSpan, Span } from './answer-times-store.ts'
import { findSettings } from './settings.ts'
import { ANSWER_TIMES_DAYS, ANSWER_TIMES_DAYS_MAX } from './values.ts'

const DAY_MS = 86_400_000
const SUNDAY = 7
const SHARES = [0.5, 0.9]
const SECONDS_PER_TENTH_OF_A_MINUTE = 6

/** How soon the team answers. The database counts, along an index of the time, once: the totals are those of the rows. */
export async function readAnswerTimes(
  ctx: Context,
  { by = 'day', ...asked }: AnswerTimesQuery,
): Promise<AnswerTimes> {
  const { timezone } = await findSettings(ctx)
  const span = spanOf(ctx, asked, timezone)
  const [{ rows, counted }, late] = await Promise.all([
    by === 'day' || by === 'week' ? inTime(ctx, spansIn(span, by, timezone)) : grouped(ctx, by, span),
    store.countLateBy(ctx, 'channel'),
  ])
  const late_now = late.reduce((sum, row) => sum + row.late_now, 0)
  return { ...span, timezone, by, totals: figuresOf(sumOf(counted), late_now), rows }
}

export async function exportAnswerTimes(
  ctx: Context,
  query: AnswerTimesQuery,
  method: string,
): Promise<Answer> {
  const { by = 'day' } = query
  const columns = [{ name: by, of: ({ key, name }: AnswerTimesRow) => name ?? key }, ...figureNames]
  const read = async () => ({ data: (await readAnswerTimes(ctx, query)).rows, next_cursor: null })
  return csvAnswer(ctx, 'answer-times', { method, query }, exportPages<AnswerTimesRow>(columns, read))
}

function spanOf(ctx: Context, { from, until }: Partial<Span>, zone: string): Span {
  const end =
    until === undefined ? startOfNextDay(Date.parse(ctx.now()), zone) : Date.parse(tidyInstant(until))
  const start = from === undefined ? addDays(end, -ANSWER_TIMES_DAYS, zone) : Date.parse(tidyInstant(from))
  if (start >= end) throw invalid([{ path: 'until', message: 'must be after from' }])
  if (end - start > ANSWER_TIMES_DAYS_MAX * DAY_MS)
    throw invalid([{ path: 'until', message: `must be at most ${ANSWER_TIMES_DAYS_MAX} days after from` }])
  return { from: isoAt(start), until: isoAt(end) }
}

/** The days or weeks of a span as the team's calendar has them: the first and the last may be cut off. */
function spansIn({ from, until }: Span, by: 'day' | 'week', zone: string): KeyedSpan[] {
  const spans: KeyedSpan[] = []
  const end = Date.parse(until)
  for (let at = Date.parse(from); at < end;) {
    const day = Date.parse(dayOf(at, zone))
    const monday = day - ((new Date(day).getUTCDay() || SUNDAY) - 1) * DAY_MS
    const first = by === 'day' ? day : monday
    const next = instantOf(first + (by === 'day' ? 1 : SUNDAY) * DAY_MS, zone)
    const key = new Date(first).toISOString().slice(0, 'YYYY-MM-DD'.length)
    spans.push({ key, from: isoAt(at), until: isoAt(Math.min(next, end)) })
    at = next
  }
  return spans
}

/** The rows, and everything that was counted for them. */
type Reported = { rows: AnswerTimesRow[]; counted: readonly Counted[] }

async function inTime(ctx: Context, spans: readonly KeyedSpan[]): Promise<Reported> {
  const [counted, late] = await Promise.all([store.countAnswersIn(ctx, spans), store.countLateIn(ctx, spans)])
  const countedOf = new Map(counted.map(row => [row.key, row]))
  const lateOf = new Map(late.map(row => [row.key, row.late_now]))
  const rows = spans.map(({ key }) => ({
    key,
    name: null,
    kind: null,
    ...figuresOf(countedOf.get(key)!, lateOf.get(key) ?? 0),
  }))
  return { rows, counted }
}

async function grouped(ctx: Context, by: Grouping, span: Span): Promise<Reported> {
  const [counted, late] = await Promise.all([store.countAnswersBy(ctx, by, span), store.countLateBy(ctx, by)])
  const shown = counted.filter(({ is_shown }) => is_shown)
  const countedOf = new Map(shown.map(row => [row.key, row]))
  const lateOf = new Map(late.map(row => [row.key, row.late_now]))
  const keys = [...new Set([...countedOf.keys(), ...lateOf.keys()])]
  const names = await namesOf(
    ctx,
    by,
    keys.filter(key => key !== null),
  )
  const rows = keys.map((key): AnswerTimesRow => {
    const row = countedOf.get(key)
    return {
      key,
      name: row?.name ?? (key === null ? null : (names.get(key) ?? null)),
      kind: by === 'person' ? (row?.kind ?? 'person') : null,
      ...figuresOf(row ?? nothing, lateOf.get(key) ?? 0),
    }
  })
  const sorted = rows.toSorted(
    (a, b) => b.answered - a.answered || b.late_now - a.late_now || order(a.key, b.key),
  )
  return { rows: sorted, counted }
}

async function namesOf(ctx: Context, by: Grouping, keys: readonly string[]): Promise<Map<string, string>> {
  if (by === 'mailbox') return findMailboxAddresses(ctx, keys)
  if (by === 'channel') return new Map()
  const members = await membersAmong(ctx, keys)
  return new Map([...members].map(([id, { name, email }]) => [id, name || email]))
}

const nothing: Counted = {
  answered: 0,
  within_target: 0,
  late: 0,
  closed_unanswered: 0,
  first_sec: null,
  next_sec: null,
}

function figuresOf(counted: Counted, late_now: number): AnswerFigures {
  const { answered, within_target, late, closed_unanswered, first_sec, next_sec } = counted
  const [first_median, first_p90] = percentilesOf(first_sec, SHARES)
  const [next_median, next_p90] = percentilesOf(next_sec, SHARES)
  return {
    answered,
    within_target,
    late,
    first_answers: countOf(first_sec),
    first_median_min: minutesOf(first_median),
    first_p90_min: minutesOf(first_p90),
    next_answers: countOf(next_sec),
    next_median_min: minutesOf(next_median),
    next_p90_min: minutesOf(next_p90),
    closed_unanswered,
    late_now,
  }
}
const figureNames = Object.keys(figuresOf(nothing, 0)) as (keyof AnswerFigures)[]

/** To a tenth of a minute. */
function minutesOf(seconds: number | undefined): number | null {
  return seconds === undefined ? null : Math.round(seconds / SECONDS_PER_TENTH_OF_A_MINUTE) / 10
}

function order(a: string | null, b: string | null): number {
  return a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1
}
