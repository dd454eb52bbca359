import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import { retentionKinds, type RetentionKind } from './values.ts'

/** Null: what the product does by default. */
export type RetentionRow = Record<RetentionKind, number | null> & { updated_at: string }

const columns = [...retentionKinds, 'updated_at'] as const

export async function findRetention(ctx: Context): Promise<RetentionRow | undefined> {
  return ctx.first(db.selectFrom('retention_settings').select(columns).where('team_id', '=', ctx.team_id))
}

/** Created if missing, so that there is a row to lock. */
export async function lockRetention(ctx: Context, initial: RetentionRow): Promise<RetentionRow> {
  ctx.later(
    db
      .insertInto('retention_settings')
      .values({ team_id: ctx.team_id, ...initial })
      .onConflict(conflict => conflict.column('team_id').doNothing()),
  )
  const row = await ctx.first(
    db.selectFrom('retention_settings').select(columns).where('team_id', '=', ctx.team_id).forUpdate(),
  )
  return row!
}

/** Events are checked again from the oldest on: what was kept so far may be too old now. */
export function saveRetention(ctx: Context, changes: Partial<RetentionRow>): void {
  const again = { events_checked_to: '', events_checked_at: null }
  ctx.later(
    db
      .updateTable('retention_settings')
      .set({ ...changes, ...again })
      .where('team_id', '=', ctx.team_id),
  )
}

type Block = { at: string; rows: number }

/** A block of any number of teams: a function of the owner (migration 0039). */
export async function removeExpired(
  ctx: Context,
  kind: RetentionKind,
  days: number | null,
  { at, rows }: Block,
): Promise<number> {
  const row = await ctx.first(
    raw<{ removed: number }>(
      sql`select remove_expired(${kind}, ${days}::integer, ${at}::timestamptz, ${rows}::integer) as removed`,
    ),
  )
  return row!.removed
}

export async function removeOldEvents(ctx: Context, teams: number, { at, rows }: Block) {
  const row = await ctx.first(
    raw<{
      teams: number
      removed: number
    }>(sql`select * from remove_old_events(${at}::timestamptz, ${teams}::integer, ${rows}::integer)`),
  )
  return row!
}

const db = tables<{
  retention_settings: RetentionRow & {
    team_id: string
    events_checked_to?: string
    events_checked_at?: string | null
  }
}>()
