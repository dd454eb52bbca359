import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import type { Context } from '#platform/context.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { Problem } from '#platform/problem.ts'
import * as store from './store.ts'

type Paging = { limit?: number; cursor?: string }

export async function getTeam(ctx: Context) {
  const team = await store.findTeam(ctx, ctx.team_id)
  if (!team) throw new Problem('not_found', 'No such team.')
  const { demo: _, ...shown } = team
  return shown
}

export async function isMember(ctx: Context, user_id: string): Promise<boolean> {
  return Boolean(await store.findMembership(ctx, ctx.team_id, user_id))
}

export async function listMembers(ctx: Context, { limit = LIST_LIMIT_DEFAULT, cursor }: Paging) {
  const rows = await store.listMembers(ctx, limit + 1, cursor ? decodeInstantCursor(cursor) : undefined)
  return pageOf(rows, limit)
}

export async function listKeys(ctx: Context, { limit = LIST_LIMIT_DEFAULT, cursor }: Paging) {
  const rows = await store.listKeys(ctx, limit + 1, cursor ? decodeInstantCursor(cursor) : undefined)
  return pageOf(rows, limit)
}

/** Runs something for every team, each under its own row security. */
export async function forEachTeam(ctx: Context, run: (ctx: Context) => Promise<void>): Promise<void> {
  for (const team_id of await store.listTeamIds(ctx)) await run(ctx.forTeam(team_id))
}

export async function deleteExpiredSignIns(ctx: Context): Promise<number> {
  return store.deleteExpired(ctx)
}
