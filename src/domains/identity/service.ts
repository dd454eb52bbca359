import type { Context } from '#platform/context.ts'
import { deleteLongExpired } from './invitation-store.ts'
import { deleteExpired } from './session-store.ts'
import { findTeam, listRealTeamIds, listTeamIds } from './store.ts'

/** Runs something for every team, each under its own row security. */
export async function forEachTeam(ctx: Context, run: (ctx: Context) => Promise<void>): Promise<void> {
  for (const team_id of await listTeamIds(ctx)) await run(ctx.forTeam(team_id))
}

/** The oldest of them: the first is whose people run the place. */
export async function firstTeams(ctx: Context, count: number): Promise<string[]> {
  return listTeamIds(ctx, count)
}

/** Whether teams that are not each other's live here; the demo counts for none. */
export async function hasSeveralTeams(ctx: Context): Promise<boolean> {
  return (await listRealTeamIds(ctx, 2)).length > 1
}

export async function isTeam(ctx: Context, id: string): Promise<boolean> {
  return (await findTeam(ctx, id)) !== undefined
}

export async function deleteExpiredSignIns(ctx: Context): Promise<number> {
  return (await deleteExpired(ctx)) + (await deleteLongExpired(ctx))
}
