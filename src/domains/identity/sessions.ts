import type { Context, Principal } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { newId } from '#platform/ids.ts'
import { scopesOfRole } from '#platform/scopes.ts'
import { signedIn, type Session } from './contract.ts'
import { getUser, homeTeam } from './people.ts'
import * as store from './store.ts'

export const SESSION_LIFE_MS = 30 * 86_400_000
/** A session slides, but is not written at every request. */
const SESSION_TOUCH_MS = 5 * 60_000
const USER_AGENT_LENGTH_MAX = 300

export async function startSession(
  ctx: Context,
  user_id: string,
  by: { method: string; ip: string | null; user_agent: string | null },
): Promise<string> {
  const team_id = await homeTeam(ctx, user_id)
  const id = newId(ctx.runtime.clock.now())
  await ctx.forTeam(team_id).transaction(async ctx => {
    store.insertSession(ctx, {
      id,
      user_id,
      team_id,
      created_at: ctx.now(),
      last_seen_at: ctx.now(),
      expires_at: ctx.in(SESSION_LIFE_MS),
      ip: by.ip,
      user_agent: by.user_agent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null,
    })
    const user = await getUser(ctx, user_id)
    record(
      ctx.as({ kind: 'person', id: user.id, name: user.name }),
      signedIn,
      { kind: 'user', id: user_id },
      { method: by.method },
    )
  })
  return id
}

export type Found = { principal: Principal; session: Session }

/** Who a session id stands for at this moment; undefined when it was ended, has run out, or left the team. */
export async function findSession(ctx: Context, id: string): Promise<Found | undefined> {
  const row = await store.findSession(ctx, id)
  if (!row || row.expires_at <= ctx.now()) return undefined
  if (row.last_seen_at < ctx.in(-SESSION_TOUCH_MS))
    await store.extendSession(ctx, id, ctx.now(), ctx.in(SESSION_LIFE_MS))
  const { user_id, team_id, name, email, image, role } = row
  return {
    principal: {
      actor: { kind: 'person', id: user_id, name },
      team_id,
      user_id,
      role,
      scopes: new Set(scopesOfRole(role)),
      session_id: row.id,
    },
    session: {
      user: { id: user_id, name, email, image, role, teamId: team_id, teamRole: role },
      expires: row.expires_at,
    },
  }
}

export async function endSession(ctx: Context, id: string): Promise<void> {
  await store.deleteSession(ctx, id)
}
