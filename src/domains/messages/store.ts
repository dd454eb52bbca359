import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { raw, tables } from '#platform/database/tables.ts'
import type { Message } from './contract.ts'
import type { MessageStatus } from './values.ts'

/** A link of a mail, as its author wrote it. */
export type Link = { url: string; meeting: boolean }

/** The first time a person, or a machine, followed a link. */
export type Click = { link: number; at: string; machine: boolean }

/** What its reader sees. */
export type Content = { text: string; html: string | null }

export type MessageRow = Message & {
  team_id: string
  links: Link[]
  thread: string[]
  round: number | null
  clicks: Click[]
}

export const messageColumns = [
  'id',
  'channel',
  'lead_id',
  'address',
  'subject',
  'status',
  'reason',
  'tries',
  'segments',
  'message_id',
  'provider_id',
  'source_kind',
  'source_id',
  'source_name',
  'enrolment_id',
  'version',
  'step_index',
  'due_at',
  'created_at',
  'accepted_at',
  'sent_at',
  'delivered_at',
  'opened_at',
  'machine_opened_at',
  'clicked_at',
  'replied_at',
  'bounced_at',
  'bounce',
  'complained_at',
  'unsubscribed_at',
] as const satisfies (keyof Message)[]

type NewRow = Omit<MessageRow, 'links' | 'thread' | 'bounce' | 'clicks'> & { links: string; thread: string }

const insertRows = inserter<NewRow>('messages', [
  'team_id',
  'id',
  'channel',
  'lead_id',
  'address',
  'subject',
  'links',
  'message_id',
  'thread',
  'segments',
  'status',
  'source_kind',
  'source_id',
  'source_name',
  'enrolment_id',
  'version',
  'step_index',
  'round',
  'due_at',
  'created_at',
])

const insertContents = inserter<Content & { team_id: string; message_id: string }>('message_contents', [
  'team_id',
  'message_id',
  'text',
  'html',
])

export function insertMessages(ctx: Context, rows: readonly (MessageRow & Content)[]): void {
  const written = rows.map(row => ({
    ...row,
    links: JSON.stringify(row.links),
    thread: JSON.stringify(row.thread),
  }))
  for (const batch of batchesOf(written)) ctx.later(insertRows(batch))
  const contents = rows.map(({ team_id, id: message_id, text, html }) => ({
    team_id,
    message_id,
    text,
    html,
  }))
  for (const batch of batchesOf(contents)) ctx.later(insertContents(batch))
}

export async function findContents(
  ctx: Context,
  ids: readonly string[],
): Promise<(Content & { message_id: string })[]> {
  if (ids.length === 0) return []
  return ctx.all(
    raw<Content & { message_id: string }>(sql`select message_id, text, html from message_contents
      where team_id = ${ctx.team_id} and message_id = any(${ids}::text[])`),
  )
}

export async function findMessage(ctx: Context, id: string): Promise<MessageRow | undefined> {
  return ctx.first(
    db.selectFrom('messages').selectAll().where('team_id', '=', ctx.team_id).where('id', '=', id),
  )
}

export async function lockMessage(ctx: Context, id: string): Promise<MessageRow | undefined> {
  return ctx.first(
    db.selectFrom('messages').selectAll().where('team_id', '=', ctx.team_id).where('id', '=', id).forUpdate(),
  )
}

/** Locked in the order of ids, so that two who take several of them cannot wait for each other in a circle. */
export async function lockMessages(ctx: Context, ids: readonly string[]): Promise<MessageRow[]> {
  return ctx.all(
    raw<MessageRow>(sql`select * from messages where team_id = ${ctx.team_id} and id = any(${ids}::text[])
      order by id for no key update`),
  )
}

/** The same with what their readers will see, in one trip. */
export async function lockWithContents(
  ctx: Context,
  ids: readonly string[],
): Promise<(MessageRow & Content)[]> {
  return ctx.all(
    raw<MessageRow & Content>(sql`select messages.*, message_contents.text, message_contents.html
      from messages join message_contents
        on message_contents.team_id = messages.team_id and message_contents.message_id = messages.id
      where messages.team_id = ${ctx.team_id} and messages.id = any(${ids}::text[])
      order by messages.id for no key update of messages`),
  )
}

/** In hand: from now on nobody else hands them over. */
export function takeMessages(ctx: Context, ids: readonly string[]): void {
  if (ids.length === 0) return
  ctx.later(
    raw(sql`update messages set status = 'SENDING', tries = tries + 1
      where team_id = ${ctx.team_id} and id = any(${ids}::text[])`),
  )
}

export type Ending = {
  id: string
  status: MessageStatus
  reason: string | null
  provider_id: string | null
  accepted_at: string | null
  sent_at: string | null
  due_at: string
}

/** What came of sending. Only what is in hand moves; what was taken for lost moves when it turns out to have been sent. */
export async function endSending(ctx: Context, endings: readonly Ending[]): Promise<Set<string>> {
  const column = <Key extends keyof Ending>(key: Key) => endings.map(ending => ending[key])
  const rows = await ctx.all(
    raw<{ id: string }>(sql`update messages set status = ended.status, reason = ended.reason,
        provider_id = coalesce(ended.provider_id, messages.provider_id), accepted_at = ended.accepted_at,
        sent_at = ended.sent_at, due_at = ended.due_at,
        trouble_at = case when ended.status in ('FAILED', 'UNKNOWN') then ${ctx.now()}::timestamptz end
      from unnest(${column('id')}::text[], ${column('status')}::text[], ${column('reason')}::text[],
        ${column('provider_id')}::text[], ${column('accepted_at')}::timestamptz[], ${column('sent_at')}::timestamptz[],
        ${column('due_at')}::timestamptz[])
        as ended (id, status, reason, provider_id, accepted_at, sent_at, due_at)
      where messages.team_id = ${ctx.team_id} and messages.id = ended.id and messages.id = any(${column('id')}::text[])
        and messages.status = any(case when ended.status = 'CANCELLED' then array['DUE']
          when ended.status in ('SENT', 'DUE', 'SENDING') then array['SENDING', 'UNKNOWN'] else array['SENDING'] end)
      returning messages.id`),
  )
  return new Set(rows.map(({ id }) => id))
}

export function updateMessage(ctx: Context, id: string, change: Partial<MessageRow>): void {
  const { bounce, clicks, ...rest } = change
  const inTrouble = change.status === 'FAILED' || change.status === 'UNKNOWN'
  const written = {
    ...rest,
    ...(change.status && { trouble_at: inTrouble ? ctx.now() : null }),
    ...(bounce !== undefined && { bounce: bounce && JSON.stringify(bounce) }),
    ...(clicks && { clicks: JSON.stringify(clicks) }),
  }
  ctx.later(
    db
      .updateTable('messages')
      .set(written as unknown as Partial<MessageRow>)
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id),
  )
}

/** Those of these enrolments that are not handed over yet are given up. */
export async function cancelOf(
  ctx: Context,
  enrolments: readonly string[],
  reason: string,
): Promise<{ id: string }[]> {
  return ctx.all(
    raw<{ id: string }>(sql`update messages set status = 'CANCELLED', reason = ${reason}
      where team_id = ${ctx.team_id} and enrolment_id = any(${enrolments}::text[]) and status = 'DUE' returning id`),
  )
}

export type LatestEmail = Pick<
  MessageRow,
  | 'id'
  | 'subject'
  | 'message_id'
  | 'thread'
  | 'sent_at'
  | 'opened_at'
  | 'clicked_at'
  | 'replied_at'
  | 'bounced_at'
> & { enrolment_id: string }

/** The last mail of each enrolment that was sent, or may have been. */
export async function findLatestEmails(ctx: Context, enrolments: readonly string[]): Promise<LatestEmail[]> {
  if (enrolments.length === 0) return []
  return ctx.all(
    raw<LatestEmail>(sql`select distinct on (enrolment_id) enrolment_id, id, subject, message_id, thread, sent_at,
        opened_at, clicked_at, replied_at, bounced_at
      from messages
      where team_id = ${ctx.team_id} and enrolment_id = any(${enrolments}::text[]) and channel = 'email'
        and status in ('SENT', 'UNKNOWN', 'SENDING')
      order by enrolment_id, round desc`),
  )
}

const db = tables<{ messages: MessageRow }>()

export type StepCounts = {
  step_index: number
  sent: number
  delivered: number
  opened: number
  clicked: number
  replied: number
  bounced: number
  failed: number
  unknown: number
}

/** What became of the messages of each step of a sequence. */
export async function countSteps(ctx: Context, source_id: string): Promise<StepCounts[]> {
  return ctx.all(
    raw<StepCounts>(sql`select step_index, count(sent_at) as sent, count(delivered_at) as delivered,
        count(opened_at) as opened, count(clicked_at) as clicked, count(replied_at) as replied,
        count(bounced_at) as bounced, count(*) filter (where status = 'FAILED') as failed,
        count(*) filter (where status = 'UNKNOWN') as unknown
      from messages where team_id = ${ctx.team_id} and source_id = ${source_id} and step_index is not null
      group by step_index`),
  )
}

/** How many failed, or nobody knows about. */
export async function countInTrouble(ctx: Context): Promise<number> {
  const row = await ctx.first(
    raw<{ count: number }>(sql`select count(*) as count from messages
      where team_id = ${ctx.team_id} and trouble_at is not null`),
  )
  return row!.count
}
