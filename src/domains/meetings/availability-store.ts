import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import type { Availability } from './contract.ts'

export type AvailabilityRow = Omit<Availability, 'booking_url' | 'feed_url'> & {
  user_id: string
  feed_version: number
  created_at: string
}

export async function find(ctx: Context, user_id: string): Promise<AvailabilityRow | undefined> {
  return ctx.first(rowsOf(ctx).where('user_id', '=', user_id))
}

/** When a row was changed that nobody has changed yet. */
export const NEVER = new Date(0).toISOString()

/** Those who set it up, the first of them first. */
export async function listByAge(ctx: Context, limit: number): Promise<AvailabilityRow[]> {
  return ctx.all(
    rowsOf(ctx).where('updated_at', '>', NEVER).orderBy('created_at').orderBy('user_id').limit(limit),
  )
}

/** Everybody's page: whose it is, where, whether it is open, and since when it is set up. */
export async function listAll(ctx: Context) {
  return ctx.all(
    db
      .selectFrom('availabilities')
      .select(['user_id', 'slug', 'active', 'created_at', 'updated_at'])
      .where('team_id', '=', ctx.team_id),
  )
}

export async function lock(ctx: Context, user_id: string): Promise<void> {
  await ctx.run(
    raw(sql`select pg_advisory_xact_lock(hashtextextended(${`${ctx.team_id} availability ${user_id}`}, 20))`),
  )
}

export function save(ctx: Context, row: AvailabilityRow): void {
  const written = {
    ...row,
    hours: JSON.stringify(row.hours) as never,
    exceptions: JSON.stringify(row.exceptions) as never,
  }
  ctx.later(
    db
      .insertInto('availabilities')
      .values({ team_id: ctx.team_id, ...written })
      .onConflict(conflict => conflict.columns(['team_id', 'user_id']).doUpdateSet(written)),
  )
}

export function remove(ctx: Context, user_id: string): void {
  ctx.later(db.deleteFrom('availabilities').where('team_id', '=', ctx.team_id).where('user_id', '=', user_id))
}

function rowsOf(ctx: Context) {
  return db.selectFrom('availabilities').select(columns).where('team_id', '=', ctx.team_id)
}

const columns = [
  'user_id',
  'slug',
  'active',
  'timezone',
  'hours',
  'exceptions',
  'duration_min',
  'buffer_before_min',
  'buffer_after_min',
  'notice_min',
  'horizon_days',
  'per_day_max',
  'title',
  'location',
  'welcome',
  'feed_version',
  'created_at',
  'updated_at',
] as const satisfies (keyof AvailabilityRow)[]

const db = tables<{ availabilities: AvailabilityRow & { team_id: string } }>()
