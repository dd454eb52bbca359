import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'

/**
 * Takes this many turns at a node, and returns the number of the first, from zero. Concurrent callers wait.
 */
export async function takeTurns(
  ctx: Context,
  { workflow_id, path }: { workflow_id: string; path: string },
  count: number,
): Promise<number> {
  const row = await ctx.first(
    raw<{ taken: number }>(sql`insert into workflow_turns as turns (team_id, workflow_id, path, taken)
      values (${ctx.team_id}, ${workflow_id}, ${path}, ${count})
      on conflict (team_id, workflow_id, path) do update set taken = turns.taken + excluded.taken
      returning taken`),
  )
  return row!.taken - count
}
