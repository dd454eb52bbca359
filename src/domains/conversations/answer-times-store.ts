import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import type { WriterKind } from './values.ts'

export type Span = { from: string; until: string }
export type KeyedSpan = Span & { key: string }

/**
 * How long each answer took is in seconds, four bytes each and in no order: to sort them here takes a fraction of what it takes the
 * database to sort them for each percentile. Null where there is nothing.
 */
export type Counted = {
  answered: number
  within_target: number
  late: number
  closed_unanswered: number
  first_sec: Buffer | null
  next_sec: Buffer | null
}
export type CountedOf = Counted & {
  key: string | null
  kind: WriterKind | null
  name: string | null
  /** False: it counts in the totals, and has no row of its own. */
  is_shown: boolean
}
export type Grouping = 'person' | 'mailbox' | 'channel'

const figures = sql`count(*) filter (where is_answer) as answered,
  count(*) filter (where is_answer and not is_late) as within_target,
  count(*) filter (where is_answer and is_late) as late,
  count(*) filter (where not is_answer) as closed_unanswered,
  string_agg(int4send(open_sec), ''::bytea) filter (where is_answer and is_first) as first_sec,
  string_agg(int4send(open_sec), ''::bytea) filter (where is_answer and not is_first) as next_sec`

/** Each span reads its own part of the index: the database computes no time zone and sorts no days. */
export async function countAnswersIn(
  ctx: Context,
  spans: readonly KeyedSpan[],
): Promise<(Counted & { key: string })[]> {
  return ctx.all(
    raw<Counted & { key: string }>(sql`select span.key, counted.* from ${asTable(spans)} cross join lateral (
      select ${figures} from conversation_answers where team_id = ${ctx.team_id} and ended_at >= span.since and ended_at < span.until) as counted`),
  )
}

export async function countAnswersBy(
  ctx: Context,
  grouping: Grouping,
  { from, until }: Span,
): Promise<CountedOf[]> {
  const { key, also, is_shown } = groupings[grouping]
  return ctx.all(
    raw<CountedOf>(sql`select ${key} as key, ${is_shown} as is_shown, ${also}, ${figures} from conversation_answers where team_id = ${ctx.team_id} and ended_at >= ${from}::timestamptz and ended_at < ${until}::timestamptz
      group by 1, 2`),
  )
}
const noName = sql`null as kind, null as name`
type Parts = { key: RawBuilder<unknown>; also: RawBuilder<unknown>; is_shown: RawBuilder<unknown> }
const groupings: Record<Grouping, Parts> = {
  person: {
    key: sql`author_id`,
    also: sql`max(author_kind) as kind, max(author_name) as name`,
    is_shown: sql`true`,
  },
  mailbox: { key: sql`mailbox_id`, also: noName, is_shown: sql`channel = 'email'` },
  channel: { key: sql`channel`, also: noName, is_shown: sql`true` },
}

type Late = { key: string | null; late_now: number }

/** What is late at this moment, all of it. */
export async function countLateBy(ctx: Context, grouping: Grouping): Promise<Late[]> {
  const { key, where } = lateGroupings[grouping]
  return ctx.all(
    raw<Late>(sql`select ${key} as key, count(*) as late_now from conversations where team_id = ${ctx.team_id}
      and overdue_at is not null and merged_into is null ${where} group by 1`),
  )
}
const lateGroupings: Record<Grouping, { key: RawBuilder<unknown>; where: RawBuilder<unknown> }> = {
  person: { key: sql`assignee_id`, where: sql`` },
  mailbox: { key: sql`waits_mailbox_id`, where: sql`and waits_channel = 'email'` },
  channel: { key: sql`waits_channel`, where: sql`` },
}

export async function countLateIn(
  ctx: Context,
  spans: readonly KeyedSpan[],
): Promise<{ key: string; late_now: number }[]> {
  return ctx.all(
    raw<{
      key: string
      late_now: number
    }>(sql`select span.key, counted.* from ${asTable(spans)} cross join lateral (
      select count(*) as late_now from conversations where team_id = ${ctx.team_id} and overdue_at is not null
        and merged_into is null and answer_due_at >= span.since and answer_due_at < span.until) as counted`),
  )
}

function asTable(spans: readonly KeyedSpan[]): RawBuilder<unknown> {
  const [keys, from, until] = (['key', 'from', 'until'] as const).map(name => spans.map(span => span[name]))
  return sql`unnest(${keys}::text[], ${from}::timestamptz[], ${until}::timestamptz[]) as span (key, since, until)`
}
