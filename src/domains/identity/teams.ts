import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import type { Actor, Context } from '#platform/context.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { Problem } from '#platform/problem.ts'
import { nextVersion, unchangedSince } from '#platform/version.ts'
import { teamChanged, teamCreated, type OwnTeam, type Session, type Team } from './contract.ts'
import { foundTeam, getUser } from './people.ts'
import { setSessionTeam } from './session-store.ts'
import { findSession } from './sessions.ts'
import * as store from './store.ts'
import { TEAMS_PER_PERSON_MAX } from './values.ts'

export async function getTeam(ctx: Context): Promise<Team> {
  return shown(await store.findTeam(ctx, ctx.team_id))
}

export async function getTeamName(ctx: Context, id: string): Promise<string> {
  return shown(await store.findTeam(ctx, id)).name
}

export async function changeTeam(ctx: Context, name: string, ifMatch: string | undefined): Promise<Team> {
  return ctx.transaction(async ctx => {
    const team = unchangedSince(shown(await store.lockTeam(ctx, ctx.team_id)), ifMatch)
    const updated_at = nextVersion(team.updated_at, ctx.now())
    store.updateTeam(ctx, { name, updated_at })
    const about = { kind: 'team', id: team.id }
    record(ctx, teamChanged, about, { before: { name: team.name }, after: { name } })
    return { ...team, name, updated_at }
  })
}

export async function listOwnTeams(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
): Promise<{ data: OwnTeam[]; next_cursor: string | null }> {
  const { user_id } = ctx.requirePerson()
  const after = cursor ? decodeInstantCursor(cursor) : undefined
  const { data, next_cursor } = pageOf(await store.listTeamsOf(ctx, user_id, limit + 1, after), limit)
  return { data: data.map(team => ({ ...team, active: team.id === ctx.team_id })), next_cursor }
}

export async function getOwnTeam(ctx: Context, id: string): Promise<Team> {
  const { user_id } = ctx.requirePerson()
  if (!(await store.findMembership(ctx, id, user_id)))
    throw new Problem('not_found', 'You are not a member of that team.')
  return shown(await store.findTeam(ctx, id))
}

export async function createTeam(ctx: Context, name: string): Promise<Team> {
  const { user_id } = ctx.requirePerson()
  return ctx.transaction(async ctx => {
    if ((await store.listMemberships(ctx, user_id)).length >= TEAMS_PER_PERSON_MAX)
      throw new Problem('conflict', `A person can belong to at most ${TEAMS_PER_PERSON_MAX} teams.`, {
        code: 'too_many_teams',
      })
    const id = foundTeam(ctx, await getUser(ctx, user_id), name)
    // A transaction belongs to one team, and this one to where the founder is: the new team's log begins by a job.
    enqueue(ctx, { kind: FOUNDED_JOB, team_id: id, data: { founder: ctx.actor, name } satisfies Founded })
    return shown(await store.findTeam(ctx, id))
  })
}

export const FOUNDED_JOB = 'team.founded'
type Founded = { founder: Actor; name: string }

export async function noteFounded(ctx: Context, { data }: Job): Promise<void> {
  const { founder, name } = data as Founded
  record(ctx.as(founder), teamCreated, { kind: 'team', id: ctx.team_id }, { name })
}

/** Another team for this session alone; other browsers of the person stay where they are. */
export async function switchTeam(ctx: Context, team_id: string): Promise<Session> {
  const { user_id, session_id } = ctx.requirePerson()
  if (!session_id || !(await store.findMembership(ctx, team_id, user_id)))
    throw new Problem('not_found', 'You are not a member of that team.')
  await setSessionTeam(ctx, session_id, team_id)
  return (await findSession(ctx, session_id))?.session ?? { user: null }
}

function shown(team: store.TeamRow | undefined): Team {
  if (!team) throw new Problem('not_found', 'No such team.')
  const { demo: _, ...rest } = team
  return rest
}
