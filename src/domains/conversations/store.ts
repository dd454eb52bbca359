import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { raw } from '#platform/database/tables.ts'
import { writerOf, type Writer } from './author.ts'
import type { ConversationCounts } from './contract.ts'
import {
  COUNTED_MAX,
  type AgentMode,
  type ConversationChannel,
  type ConversationHold,
  type ConversationState,
} from './values.ts'

export type ConversationRow = {
  id: string
  lead_id: string | null
  address: string
  name: string | null
  channel: ConversationChannel
  subject: string | null
  state: ConversationState
  snoozed_until: string | null
  assignee_id: string | null
  /** That of the last email that came in. */
  mailbox_id: string | null
  agent_id: string | null
  agent_mode: AgentMode
  labels: string[]
  last_message_at: string
  last_direction: 'in' | 'out'
  last_text: string
  last_in_at: string | null
  unanswered_since: string | null
  answer_due_at: string | null
  overdue_at: string | null
  /** Where the first message came in that waits. */
  waits_channel: ConversationChannel | null
  waits_mailbox_id: string | null
  escalate_at: string | null
  escalated_at: string | null
  answered_at: string | null
  merged_into: string | null
  created_at: string
  updated_at: string
}

export const conversationColumns = [
  'id',
  'lead_id',
  'address',
  'name',
  'channel',
  'subject',
  'state',
  'snoozed_until',
  'assignee_id',
  'mailbox_id',
  'agent_id',
  'agent_mode',
  'labels',
  'last_message_at',
  'last_direction',
  'last_text',
  'last_in_at',
  'unanswered_since',
  'answer_due_at',
  'overdue_at',
  'waits_channel',
  'waits_mailbox_id',
  'escalate_at',
  'escalated_at',
  'answered_at',
  'merged_into',
  'created_at',
  'updated_at',
] as const satisfies (keyof ConversationRow)[]

const LOCKED = sql`for no key update`
const selected = sql.join(conversationColumns.map(column => sql.ref(column)))
const insertRows = inserter<ConversationRow & { team_id: string }>(
  'conversations',
  ['team_id', ...conversationColumns],
  'on conflict do nothing returning id',
)

/** Whether it is new: at the same moment somebody else may have begun it. */
export async function insertConversation(ctx: Context, row: ConversationRow): Promise<boolean> {
  return (await ctx.run(insertRows([{ team_id: ctx.team_id, ...row }]))) > 0
}

export async function findConversation(ctx: Context, id: string): Promise<ConversationRow | undefined> {
  return findOne(ctx, sql`id = ${id}`)
}

export async function lockConversation(ctx: Context, id: string): Promise<ConversationRow | undefined> {
  return findOne(ctx, sql`id = ${id}`, LOCKED)
}

export async function findOfLead(ctx: Context, lead_id: string): Promise<ConversationRow | undefined> {
  return findOne(ctx, sql`lead_id = ${lead_id}`)
}

export async function lockOfLead(ctx: Context, lead_id: string): Promise<ConversationRow | undefined> {
  return findOne(ctx, sql`lead_id = ${lead_id}`, LOCKED)
}

/** Whether somebody of nobody known has written before. */
export async function findOfAddress(ctx: Context, address: string): Promise<ConversationRow | undefined> {
  return findOne(ctx, sql`address = ${address} and lead_id is null and merged_into is null`)
}

/** Of nobody known: that of a lead is found by the lead. */
export async function lockOfAddress(ctx: Context, address: string): Promise<ConversationRow | undefined> {
  return findOne(ctx, sql`address = ${address} and lead_id is null and merged_into is null`, LOCKED)
}

async function findOne(
  ctx: Context,
  which: RawBuilder<unknown>,
  lock = sql``,
): Promise<ConversationRow | undefined> {
  return ctx.first(
    raw<ConversationRow>(
      sql`select ${selected} from conversations where team_id = ${ctx.team_id} and ${which} ${lock}`,
    ),
  )
}

export function updateConversation(ctx: Context, id: string, fields: Partial<ConversationRow>): void {
  const assignments = Object.entries(fields).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  ctx.later(
    raw(sql`update conversations set ${sql.join(assignments)} where team_id = ${ctx.team_id} and id = ${id}`),
  )
  if (fields.labels) writeLabels(ctx, id, fields.labels)
}

function writeLabels(ctx: Context, id: string, labels: readonly string[]): void {
  ctx.later(
    raw(sql`delete from conversation_labels
      where team_id = ${ctx.team_id} and conversation_id = ${id} and label <> all(${labels}::text[])`),
  )
  const rows = labels.map(label => ({ team_id: ctx.team_id, conversation_id: id, label }))
  for (const batch of batchesOf(rows)) ctx.later(insertLabels(batch))
}
const insertLabels = inserter<{ team_id: string; conversation_id: string; label: string }>(
  'conversation_labels',
  ['team_id', 'conversation_id', 'label'],
  'on conflict do nothing',
)

export async function findReadTimes(
  ctx: Context,
  user_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.all(
    raw<{
      conversation_id: string
      read_at: string
    }>(sql`select conversation_id, read_at from conversation_reads
      where team_id = ${ctx.team_id} and conversation_id = any(${ids}::text[]) and user_id = ${user_id}`),
  )
  return new Map(rows.map(({ conversation_id, read_at }) => [conversation_id, read_at]))
}

/** A mark only moves forward: two tabs may send theirs in any order. */
export function markRead(ctx: Context, conversation_id: string, user_id: string, read_at: string): void {
  ctx.later(
    raw(sql`insert into conversation_reads as known (team_id, conversation_id, user_id, read_at)
      values (${ctx.team_id}, ${conversation_id}, ${user_id}, ${read_at})
      on conflict (team_id, conversation_id, user_id) do update set read_at = excluded.read_at
        where known.read_at < excluded.read_at`),
  )
}

/** Each count reads an index and ends at the limit, however many there are. */
export async function countViews(ctx: Context, user_id: string | null): Promise<ConversationCounts> {
  const count = (condition: ReturnType<typeof sql>) => sql`(select count(*)::integer from (
      select from conversations where team_id = ${ctx.team_id} and merged_into is null and ${condition} limit ${COUNTED_MAX}) as found)`
  const row = await ctx.first(
    raw<ConversationCounts>(sql`select
      ${count(sql`state = 'OPEN' and assignee_id = ${user_id}`)} as mine,
      ${count(sql`state = 'OPEN' and assignee_id is null`)} as unassigned,
      ${count(sql`state = 'OPEN'`)} as open,
      ${count(sql`state = 'WAITING'`)} as waiting,
      ${count(sql`state = 'SNOOZED'`)} as snoozed,
      ${count(sql`overdue_at is not null`)} as overdue`),
  )
  return row!
}

/** The moment before which everything that came in has been answered. */
export async function lastAnswerAt(ctx: Context, conversation_id: string): Promise<string | null> {
  const row = await ctx.first(
    raw<{ created_at: string }>(sql`select created_at from conversation_replies
      where team_id = ${ctx.team_id} and conversation_id = ${conversation_id} and undone_at is null and is_answer
      order by created_at desc limit 1`),
  )
  return row?.created_at ?? null
}

/** The first reply after this moment that still is an answer. */
export async function firstAnswerAfter(
  ctx: Context,
  conversation_id: string,
  after: string,
): Promise<ReplyRow | undefined> {
  return ctx.first(
    raw<ReplyRow>(sql`select ${replyColumns} from conversation_replies
      where team_id = ${ctx.team_id} and conversation_id = ${conversation_id} and undone_at is null and is_answer
        and created_at > ${after}::timestamptz
      order by created_at limit 1`),
  )
}

const replyColumns = sql`message_id, conversation_id, hold_reason, is_answer, undone_at, created_at,
  author_kind, author_id, author_name`

export type ReplyRow = {
  message_id: string
  conversation_id: string
  hold_reason: ConversationHold | null
  /** Not, where it was passed on to somebody else. */
  is_answer: boolean
  undone_at: string | null
  created_at: string
  /** Null in what was written before this was kept. */
  author_kind: Writer['author_kind'] | null
  author_id: string | null
  author_name: string | null
}

type NewReply = Omit<ReplyRow, keyof Writer>

/** Written by who is at work. */
export function insertReply(ctx: Context, row: NewReply): void {
  const { author_kind, author_id, author_name } = writerOf(ctx)
  const { message_id, conversation_id, hold_reason, is_answer, undone_at, created_at } = row
  ctx.later(
    raw(sql`insert into conversation_replies (team_id, ${replyColumns})
      values (${ctx.team_id}, ${message_id}, ${conversation_id}, ${hold_reason}, ${is_answer}, ${undone_at}, ${created_at},
        ${author_kind}, ${author_id}, ${author_name})`),
  )
}

/** How many workflows and agents have written there since then, and have not been cancelled, up to the limit. */
export async function countAutomatic(
  ctx: Context,
  conversation_id: string,
  since: string,
  limit: number,
): Promise<number> {
  const rows = await ctx.all(
    raw(sql`select from conversation_replies where team_id = ${ctx.team_id} and conversation_id = ${conversation_id}
      and created_at > ${since} and author_kind in ('workflow', 'agent') and is_answer and undone_at is null limit ${limit}`),
  )
  return rows.length
}

export async function findReplies(
  ctx: Context,
  message_ids: readonly string[],
): Promise<Map<string, ReplyRow>> {
  if (message_ids.length === 0) return new Map()
  const rows = await ctx.all(
    raw<ReplyRow>(sql`select ${replyColumns} from conversation_replies
      where team_id = ${ctx.team_id} and message_id = any(${message_ids}::text[])`),
  )
  return new Map(rows.map(row => [row.message_id, row]))
}

/** Whether that was news. */
export async function markUndone(
  ctx: Context,
  message_id: string,
  undone_at: string | null,
): Promise<boolean> {
  const touched = await ctx.run(
    raw(sql`update conversation_replies set undone_at = ${undone_at}
      where team_id = ${ctx.team_id} and message_id = ${message_id} and (undone_at is null) <> (${undone_at}::timestamptz is null)`),
  )
  return touched > 0
}
