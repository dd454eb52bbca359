import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import type { Context } from '#platform/context.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { deleteLongExpired } from './invitation-store.ts'
import { listKeys as listKeyRows } from './key-store.ts'
import { deleteExpired } from './session-store.ts'
import { listTeamIds } from './store.ts'

export async function listKeys(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
) {
  const rows = await listKeyRows(ctx, limit + 1, cursor ? decodeInstantCursor(cursor) : undefined)
  return pageOf(rows, limit)
}

/** Runs something for every team, each under its own row security. */
export async function forEachTeam(ctx: Context, run: (ctx: Context) => Promise<void>): Promise<void> {
  for (const team_id of await listTeamIds(ctx)) await run(ctx.forTeam(team_id))
}

export async function deleteExpiredSignIns(ctx: Context): Promise<number> {
  return (await deleteExpired(ctx)) + (await deleteLongExpired(ctx))
}
