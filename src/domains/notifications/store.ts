import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import type { Notification } from './contract.ts'
import { KEPT_MAX } from './values.ts'

export type NotificationRow = Notification & { team_id: string; user_id: string }

const columns = [
  'id',
  'title',
  'text',
  'link',
  'source_kind',
  'source_id',
  'source_name',
  'created_at',
  'read_at',
] as const

export function insertNotifications(ctx: Context, rows: readonly Omit<NotificationRow, 'team_id'>[]): void {
  const { team_id } = ctx
  ctx.later(db.insertInto('notifications').values(rows.map(row => ({ team_id, ...row }))))
}

type Which = { unread: boolean; limit: number; after: [string, string] | undefined }

/** Of one person, the newest first. */
export async function listOf(
  ctx: Context,
  user_id: string,
  { unread, limit, after }: Which,
): Promise<Notification[]> {
  let query = db
    .selectFrom('notifications')
    .select(columns)
    .where('team_id', '=', ctx.team_id)
    .where('user_id', '=', user_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (unread) query = query.where('read_at', 'is', null)
  if (after) query = query.where(sql<boolean>`(created_at, id) < (${after[0]}::timestamptz, ${after[1]})`)
  return ctx.all(query)
}

/** Counted no further than is kept: between two sweeps there may be more. */
export async function countUnread(ctx: Context, user_id: string): Promise<number> {
  const row = await ctx.first(
    raw<{ count: number }>(sql`select count(*) as count from (
      select from notifications where team_id = ${ctx.team_id} and user_id = ${user_id} and read_at is null
      limit ${KEPT_MAX}) as unread`),
  )
  return row!.count
}

/** Which of these the person has, whether read or not. */
export async function findOwn(ctx: Context, user_id: string, ids: readonly string[]): Promise<string[]> {
  const rows = await ctx.all(
    db
      .selectFrom('notifications')
      .select('id')
      .where('team_id', '=', ctx.team_id)
      .where('user_id', '=', user_id)
      .where('id', '=', sql<string>`any(${ids}::text[])`),
  )
  return rows.map(({ id }) => id)
}

/** Those that are named, or all. */
export function markRead(ctx: Context, user_id: string, ids: readonly string[] | undefined): void {
  let query = db
    .updateTable('notifications')
    .set({ read_at: ctx.now() })
    .where('team_id', '=', ctx.team_id)
    .where('user_id', '=', user_id)
    .where('read_at', 'is', null)
  if (ids) query = query.where('id', '=', sql<string>`any(${ids}::text[])`)
  ctx.later(query)
}

/** Of each person, what is beyond the newest so many. */
export async function deleteBeyondNewest(ctx: Context): Promise<number> {
  return ctx.run(
    raw(sql`delete from notifications where team_id = ${ctx.team_id} and id in (
      select id from (
        select id, row_number() over (partition by user_id order by created_at desc, id desc) as place
        from notifications where team_id = ${ctx.team_id}) as placed
      where place > ${KEPT_MAX})`),
  )
}

const db = tables<{ notifications: NotificationRow }>()
