import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { freshlyPlanned, raw } from '#platform/database/tables.ts'
import { columnsOf, isAnyOf } from '#platform/listing.ts'
import type { ListMessages, Message } from './contract.ts'
import { messageColumns, type MessageRow } from './store.ts'
import type { MessageOutcome, MessageStatus } from './values.ts'

/** Newest first. Ids begin with the second they were made in, so that their order is that of time. */
export async function listMessages(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor, ...filters }: ListMessages,
) {
  const after = cursor === undefined ? sql`` : sql`and id < ${decodeInstantCursor(cursor)[1]}`
  const rows = await ctx.all(
    freshlyPlanned(
      raw<Message>(sql`select ${columnsOf({ table: 'messages', columns: messageColumns })} from messages
        where ${matching(ctx, filters)} ${after} order by id desc limit ${limit + 1}`),
    ),
  )
  return pageOf(rows, limit)
}

export type LeadMessage = Pick<MessageRow, (typeof messageColumns)[number]> & {
  /** Empty once it is no longer kept. */
  text: string
}

const withTexts = sql`select ${columnsOf({ table: 'messages', columns: messageColumns })},
    coalesce(message_contents.text, '') as text
  from messages left join message_contents
    on message_contents.team_id = messages.team_id and message_contents.message_id = messages.id`

/** Those of a lead with their text, the last that went out, or is to go, first. `before` is a place in that order. */
export async function findOfLead(
  ctx: Context,
  lead_id: string,
  { before, limit }: { before: { at: string; id: string } | undefined; limit: number },
): Promise<LeadMessage[]> {
  const older = before ? sql`and (due_at, id) < (${before.at}::timestamptz, ${before.id})` : sql``
  return ctx.all(
    raw<LeadMessage>(sql`${withTexts}
      where messages.team_id = ${ctx.team_id} and messages.lead_id = ${lead_id} ${older}
      order by messages.due_at desc, messages.id desc limit ${limit}`),
  )
}

export async function findWithText(
  ctx: Context,
  lead_id: string,
  id: string,
): Promise<LeadMessage | undefined> {
  return ctx.first(
    raw<LeadMessage>(sql`${withTexts}
      where messages.team_id = ${ctx.team_id} and messages.lead_id = ${lead_id} and messages.id = ${id}`),
  )
}

/** The last email to a lead at this address that went out, or may have. */
export async function findLastEmailTo(
  ctx: Context,
  lead_id: string,
  address: string,
): Promise<Pick<MessageRow, 'message_id' | 'thread' | 'due_at'> | undefined> {
  return ctx.first(
    raw<
      Pick<MessageRow, 'message_id' | 'thread' | 'due_at'>
    >(sql`select message_id, thread, due_at from messages
      where team_id = ${ctx.team_id} and lead_id = ${lead_id} and channel = 'email'
        and address_key = ${address.toLowerCase()} and status in ('SENT', 'UNKNOWN', 'SENDING')
      order by due_at desc, id desc limit 1`),
  )
}

function matching(ctx: Context, filters: Omit<ListMessages, 'limit' | 'cursor'>): RawBuilder<unknown> {
  const { q, outcome, step_index } = filters
  const conditions = [
    sql`team_id = ${ctx.team_id}`,
    ...(['channel', 'status', 'lead_id', 'source_id', 'enrolment_id'] as const).flatMap(name =>
      isAnyOf(name, filters[name]),
    ),
    ...(filters.status?.every(isTrouble) ? [sql`trouble_at is not null`] : []),
    ...(filters.status?.every(isUnsent) ? [sql`sent_at is null`] : []),
    ...(outcome ? [sql`(${sql.join(outcome.map(heardOf), sql` or `)})`] : []),
    ...(step_index === undefined ? [] : [sql`step_index = ${step_index}`]),
    // Not with LIKE, which no index serves under row security.
    ...(q ? [sql`address_key >= ${q.toLowerCase()} and address_key < ${q.toLowerCase() + LAST_LETTER}`] : []),
  ]
  return sql.join(conditions, sql` and `)
}

/** Those have an index of their own, and so have the next. */
function isTrouble(status: MessageStatus): boolean {
  return status === 'FAILED' || status === 'UNKNOWN'
}

function isUnsent(status: MessageStatus): boolean {
  return status === 'DUE' || status === 'SENDING' || status === 'CANCELLED'
}

const LAST_LETTER = '\u{10ffff}'

function heardOf(outcome: MessageOutcome): RawBuilder<unknown> {
  return sql`${sql.ref(`${outcome}_at`)} is not null`
}
