import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import type { File } from './contract.ts'

export type FileRow = File & {
  /** Whose private mailbox it came from. */
  private_to: string | null
  /** Null: it belongs to no message, and is removed after a while. */
  used_at: string | null
  created_by: string | null
}

/** When a file that is to be removed was created: long ago. An erasure says so too (migration 0061). */
const CONDEMNED = '1970-01-01T00:00:00.000Z'

const db = tables<{ files: FileRow & { team_id: string } }>()

const columns = [
  'id',
  'name',
  'type',
  'size',
  'private_to',
  'used_at',
  'created_by',
  'created_at',
] as const satisfies (keyof FileRow)[]

/**
 * As new, so that they are not removed soon; answers those that now are as they are given. One that is being removed
 * just now stays so.
 */
export async function insert(ctx: Context, rows: readonly FileRow[]): Promise<string[]> {
  const written = await ctx.all(
    db
      .insertInto('files')
      .values(rows.map(row => ({ team_id: ctx.team_id, ...row })))
      .onConflict(conflict =>
        conflict
          .columns(['team_id', 'id'])
          .doUpdateSet(set => ({ created_at: set.ref('excluded.created_at') }))
          .where('files.created_at', '>', CONDEMNED)
          .where('files.used_at', 'is', null),
      )
      .returning('id'),
  )
  return written.map(({ id }) => id)
}

/** Those that belong to a message from now on; answers their IDs, without any that is being removed. */
export async function insertUsed(ctx: Context, rows: readonly FileRow[]): Promise<string[]> {
  const written = await ctx.all(
    db
      .insertInto('files')
      .values(rows.map(row => ({ team_id: ctx.team_id, ...row })))
      .onConflict(conflict =>
        conflict
          .columns(['team_id', 'id'])
          .doUpdateSet(set => ({
            used_at: sql<string>`coalesce(files.used_at, ${set.ref('excluded.used_at')})`,
          }))
          .where('files.created_at', '>', CONDEMNED),
      )
      .returning('id'),
  )
  return written.map(({ id }) => id)
}

export async function findAll(ctx: Context, ids: readonly string[], since: string): Promise<FileRow[]> {
  return ctx.all(
    db
      .selectFrom('files')
      .select(columns)
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', sql<string>`any(${ids}::text[])`)
      .where(kept(since)),
  )
}

/** In one statement, so that none of them is removed between a look and the mark. */
export async function use(
  ctx: Context,
  ids: readonly string[],
  { since, reader }: { since: string; reader: string | null },
): Promise<FileRow[]> {
  return ctx.all(
    raw<FileRow>(sql`update files set used_at = coalesce(used_at, ${ctx.now()}::timestamptz)
      where team_id = ${ctx.team_id} and id = any(${ids}::text[]) and ${kept(since)}
        and (private_to is null or private_to = ${reader})
      returning ${sql.join(columns.map(column => sql.ref(column)))}`),
  )
}

/** They are nobody's own any more. */
export function makePublic(ctx: Context, ids: readonly string[]): void {
  ctx.later(
    raw(sql`update files set private_to = null where team_id = ${ctx.team_id} and id = any(${ids}::text[])`),
  )
}

/**
 * Marks files that nobody used, and answers them, with those that were marked and not removed before. From here on
 * nobody can use them any more: whoever was about to do so did it before, or finds nothing.
 */
export async function condemn(ctx: Context, before: string, limit: number): Promise<string[]> {
  const rows = await ctx.all(
    raw<{ id: string }>(sql`update files set created_at = ${CONDEMNED}::timestamptz
      where team_id = ${ctx.team_id} and used_at is null and created_at <= ${before}::timestamptz and id = any(array(
        select id from files where team_id = ${ctx.team_id} and used_at is null and created_at <= ${before}::timestamptz
        order by created_at, id limit ${limit}))
      returning id`),
  )
  return rows.map(({ id }) => id)
}

export async function removeCondemned(ctx: Context, id: string): Promise<void> {
  await ctx.run(
    db
      .deleteFrom('files')
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .where('created_at', '<=', CONDEMNED),
  )
}

/** One that was never used counts as gone once it may be removed. */
function kept(since: string) {
  return sql<boolean>`(used_at is not null or created_at > ${since}::timestamptz)`
}
