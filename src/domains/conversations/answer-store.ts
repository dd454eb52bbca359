import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { inserter } from '#platform/database/insert.ts'
import { raw } from '#platform/database/tables.ts'
import type { ConversationChannel, WriterKind } from './values.ts'

/** The end of a wait: an answer, under the ID of its message, or a conversation that was closed without one. */
export type AnswerRow = {
  id: string
  conversation_id: string
  is_answer: boolean
  /** To somebody whom nobody had answered before. */
  is_first: boolean
  /** Null: there was no target. */
  is_late: boolean | null
  waited_since: string
  ended_at: string
  /** Seconds of open hours between the two. */
  open_sec: number
  channel: ConversationChannel
  mailbox_id: string | null
  author_kind: WriterKind
  author_id: string | null
  author_name: string | null
  due_at: string | null
  overdue_at: string | null
  escalate_at: string | null
  escalated_at: string | null
}

const columns = [
  'id',
  'conversation_id',
  'is_answer',
  'is_first',
  'is_late',
  'waited_since',
  'ended_at',
  'open_sec',
  'channel',
  'mailbox_id',
  'author_kind',
  'author_id',
  'author_name',
  'due_at',
  'overdue_at',
  'escalate_at',
  'escalated_at',
] as const satisfies (keyof AnswerRow)[]
const selected = sql.join(columns.map(column => sql.ref(column)))
const insertRows = inserter<AnswerRow & { team_id: string }>('conversation_answers', ['team_id', ...columns])

export function insertAnswer(ctx: Context, row: AnswerRow): void {
  ctx.later(insertRows([{ team_id: ctx.team_id, ...row }]))
}

export function updateAnswer(ctx: Context, id: string, fields: Partial<AnswerRow>): void {
  const assignments = Object.entries(fields).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  ctx.later(
    raw(sql`update conversation_answers set ${sql.join(assignments)}
      where team_id = ${ctx.team_id} and id = ${id}`),
  )
}

export function deleteAnswer(ctx: Context, id: string): void {
  ctx.later(raw(sql`delete from conversation_answers where team_id = ${ctx.team_id} and id = ${id}`))
}

/** Undefined where the message had answered nothing. */
export async function takeAnswer(ctx: Context, id: string): Promise<AnswerRow | undefined> {
  return ctx.first(
    raw<AnswerRow>(sql`delete from conversation_answers where team_id = ${ctx.team_id} and id = ${id}
      returning ${selected}`),
  )
}

/** What ended the next wait after this moment. */
export async function findNextEnd(
  ctx: Context,
  conversation_id: string,
  after: string,
): Promise<AnswerRow | undefined> {
  return findOne(ctx, conversation_id, sql`and ended_at > ${after}::timestamptz order by ended_at limit 1`)
}

export async function findLastEnd(ctx: Context, conversation_id: string): Promise<AnswerRow | undefined> {
  return findOne(ctx, conversation_id, sql`order by ended_at desc limit 1`)
}

/** What was closed waits again, with all that came in after it. */
export function deleteClosedSince(ctx: Context, conversation_id: string, since: string): void {
  ctx.later(
    raw(sql`delete from conversation_answers where team_id = ${ctx.team_id}
      and conversation_id = ${conversation_id} and ended_at >= ${since}::timestamptz
      and waited_since >= ${since}::timestamptz and not is_answer`),
  )
}

async function findOne(
  ctx: Context,
  conversation_id: string,
  rest: RawBuilder<unknown>,
): Promise<AnswerRow | undefined> {
  return ctx.first(
    raw<AnswerRow>(sql`select ${selected} from conversation_answers
      where team_id = ${ctx.team_id} and conversation_id = ${conversation_id} ${rest}`),
  )
}

/** Within how many seconds four of five of the last answers of people in web chats came; undefined if there were fewer than `least`. */
export async function findUsual(
  ctx: Context,
  { since, least, most }: { since: string; least: number; most: number },
): Promise<number | undefined> {
  const row = await ctx.first(
    raw<{ count: number; sec: number | null }>(sql`select count(*)::integer as count,
        percentile_disc(0.8) within group (order by open_sec) as sec from (
      select open_sec from conversation_answers
      where team_id = ${ctx.team_id} and channel = 'chat' and author_kind = 'person' and is_answer and ended_at > ${since}
      order by ended_at desc limit ${most}) as lately`),
  )
  return row!.count < least ? undefined : row!.sec!
}
