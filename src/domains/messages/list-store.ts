import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { raw } from '#platform/database/tables.ts'
import { columnsOf, isAnyOf } from '#platform/listing.ts'
import type { ListMessages, Message } from './contract.ts'
import { messageColumns } from './store.ts'
import type { MessageOutcome, MessageStatus } from './values.ts'

/** Newest first. Ids begin with the second they were made in, so that their order is that of time. */
export async function listMessages(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor, ...filters }: ListMessages,
) {
  const after = cursor === undefined ? sql`` : sql`and id < ${decodeInstantCursor(cursor)[1]}`
  const rows = await ctx.all(
    raw<Message>(sql`select ${columnsOf({ table: 'messages', columns: messageColumns })} from messages
      where ${matching(ctx, filters)} ${after} order by id desc limit ${limit + 1}`),
  )
  return pageOf(rows, limit)
}

function matching(ctx: Context, filters: Omit<ListMessages, 'limit' | 'cursor'>): RawBuilder<unknown> {
  const { q, outcome, step_index } = filters
  const conditions = [
    sql`team_id = ${ctx.team_id}`,
    ...(['channel', 'status', 'lead_id', 'source_id', 'enrolment_id'] as const).flatMap(name =>
      isAnyOf(name, filters[name]),
    ),
    ...(filters.status?.every(isTrouble) ? [sql`trouble_at is not null`] : []),
    ...(outcome ? [sql`(${sql.join(outcome.map(heardOf), sql` or `)})`] : []),
    ...(step_index === undefined ? [] : [sql`step_index = ${step_index}`]),
    ...(q ? [sql`address_key like ${`${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`] : []),
  ]
  return sql.join(conditions, sql` and `)
}

/** Those have an index of their own. */
function isTrouble(status: MessageStatus): boolean {
  return status === 'FAILED' || status === 'UNKNOWN'
}

function heardOf(outcome: MessageOutcome): RawBuilder<unknown> {
  return sql`${sql.ref(`${outcome}_at`)} is not null`
}
