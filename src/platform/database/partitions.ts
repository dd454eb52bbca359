import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { raw } from './tables.ts'

/** Months that are ready before anything is written for them. */
const MONTHS_AHEAD = 3
const MONTH_MS = 31 * 86_400_000
const LOCK_TIMEOUT = '55P03'

/**
 * Makes the months to come of every table that is kept by month (migration 0035). While a backup reads, the table cannot take
 * up another: there is time until the next attempt, and rows without a month are kept in <table>_other.
 */
export async function makePartitions(ctx: Context): Promise<number> {
  return unlessInUse(ctx, async () => {
    const until = ctx.in(MONTHS_AHEAD * MONTH_MS)
    const row = await ctx.first(
      raw<{ made: number }>(sql`select make_partitions(${until}::timestamptz) as made`),
    )
    return row!.made
  })
}

/** Drops the months that retention has emptied. Like a new month, that waits for nobody: the next run tries again. */
export async function dropEmptyPartitions(ctx: Context): Promise<number> {
  return unlessInUse(ctx, async () => {
    const row = await ctx.first(
      raw<{ dropped: number }>(sql`select drop_empty_partitions(${ctx.now()}::timestamptz) as dropped`),
    )
    return row!.dropped
  })
}

async function unlessInUse(ctx: Context, change: () => Promise<number>): Promise<number> {
  try {
    return await change()
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_TIMEOUT) throw error
    ctx.log.warn('the tables that are kept by month are in use: their months are made and dropped later')
    return 0
  }
}
