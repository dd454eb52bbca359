import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { jobsTable as db } from './queue.ts'

/** As text in the statement, so that their index is found. */
const isDead = sql<boolean>`state = 'dead'`

/** The team's own jobs that failed for good, oldest first. */
export async function listDead(ctx: Context, limit: number, after: [string, string] | undefined) {
  let query = db
    .selectFrom('jobs')
    .select(['id', 'kind', 'attempts', 'last_error', 'failed_at', 'created_at', 'event_id'])
    .where('team_id', '=', ctx.team_id)
    .where(isDead)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
  if (after) query = query.where(sql<boolean>`(created_at, id) > (${after[0]}::timestamptz, ${after[1]})`)
  return ctx.all(query)
}

export async function countDead(ctx: Context): Promise<number> {
  const row = await ctx.first(
    db
      .selectFrom('jobs')
      .select(sql<number>`count(*)`.as('count'))
      .where('team_id', '=', ctx.team_id)
      .where(isDead),
  )
  return row!.count
}

/** From the beginning again: as many tries as a new job has. */
export async function revive(ctx: Context, id: string): Promise<string | undefined> {
  const row = await ctx.first(
    db
      .updateTable('jobs')
      .set({ state: 'ready', attempts: 0, lost: 0, run_at: ctx.now(), failed_at: null })
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id)
      .where(isDead)
      .returning('kind'),
  )
  return row?.kind
}

export async function discard(ctx: Context, id: string): Promise<string | undefined> {
  const row = await ctx.first(
    db
      .deleteFrom('jobs')
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id)
      .where(isDead)
      .returning('kind'),
  )
  return row?.kind
}
