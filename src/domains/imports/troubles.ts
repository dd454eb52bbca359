import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'

/** Imports since then that failed, or left rows behind: somebody should look. */
export async function countTroubledImports(ctx: Context, since: string): Promise<number> {
  const row = await ctx.first(
    raw<{ count: number }>(sql`select count(*) as count from imports
      where team_id = ${ctx.team_id} and created_at >= ${since} and (status = 'FAILED' or failed > 0)`),
  )
  return row!.count
}
