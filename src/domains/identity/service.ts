import { systemContext, type Context } from '#platform/context.ts'
import { teamsTogether } from '#platform/database/teams-together.ts'
import { deleteLongExpired } from './invitation-store.ts'
import { deleteExpired } from './session-store.ts'
import { findTeam, listRealTeamIds, listTeamIds } from './store.ts'

/** Runs something for every team, each under its own row security. */
export async function forEachTeam(ctx: Context, run: (ctx: Context) => Promise<void>): Promise<void> {
  for (const team_id of await listTeamIds(ctx)) await run(ctx.forTeam(team_id))
}

/** So many teams' statements share a transaction. */
const TEAMS_TOGETHER = 25

/** The same for work by a few statements of each: teams that ask at the same time share a trip to the database. */
export async function forTeamsTogether(ctx: Context, run: (ctx: Context) => Promise<void>): Promise<void> {
  const teams = await listTeamIds(ctx)
  const together = systemContext(teamsTogether(ctx.runtime))
  for (let at = 0; at < teams.length; at += TEAMS_TOGETHER) {
    const block = teams.slice(at, at + TEAMS_TOGETHER)
    await Promise.all(block.map(team_id => run(together.forTeam(team_id))))
  }
}

/** The oldest of them: the first is whose people run the place. */
export async function firstTeams(ctx: Context, count: number): Promise<string[]> {
  return listTeamIds(ctx, count)
}

/** Whether teams that are not each other's live here; the demo counts for none. */
export async function hasSeveralTeams(ctx: Context): Promise<boolean> {
  return (await listRealTeamIds(ctx, 2)).length > 1
}

/** The team that everything is for, where there is just one; the demo counts for none. */
export async function onlyTeam(ctx: Context): Promise<string | undefined> {
  const [team, ...others] = await listRealTeamIds(ctx, 2)
  return others.length === 0 ? team : undefined
}

export async function isTeam(ctx: Context, id: string): Promise<boolean> {
  return (await findTeam(ctx, id)) !== undefined
}

export async function deleteExpiredSignIns(ctx: Context): Promise<number> {
  return (await deleteExpired(ctx)) + (await deleteLongExpired(ctx))
}
