import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import type { Found } from '#platform/bearer.ts'
import type { Context } from '#platform/context.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import { newId } from '#platform/ids.ts'
import { Problem } from '#platform/problem.ts'
import { scopesOfRole } from '#platform/scopes.ts'
import { signedIn, signedOut, type Session } from './contract.ts'
import { getUser, homeTeam } from './people.ts'
import * as store from './session-store.ts'

const SESSION_LIFE_MS = 30 * 86_400_000
/** However often it is used: after this time a person signs in again. */
export const SESSION_LIFE_MAX_MS = 90 * 86_400_000
/** A session slides, but is not written at every request. */
const SESSION_TOUCH_MS = 5 * 60_000
const USER_AGENT_LENGTH_MAX = 300

export async function startSession(
  ctx: Context,
  user_id: string,
  by: { method: string; ip: string | null; user_agent: string | null },
  team_id?: string,
): Promise<string> {
  team_id ??= await homeTeam(ctx, user_id)
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

/** The user of a session id; undefined if it was ended, has expired, or left the team. */
export async function findSession(
  ctx: Context,
  id: string,
): Promise<(Found & { session: Session }) | undefined> {
  const row = await store.findSession(ctx, id)
  if (!row || row.expires_at <= ctx.now() || row.created_at <= ctx.in(-SESSION_LIFE_MAX_MS)) return undefined
  if (row.last_seen_at < ctx.in(-SESSION_TOUCH_MS))
    await store.extendSession(ctx, id, ctx.now(), expiryOf(ctx, row.created_at))
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
    guard: now => ({ text: GUARD, values: [row.id, team_id, role, now], quiet: true }),
    session: {
      user: { id: user_id, name, email, ...(image && { image }), role, teamId: team_id, teamRole: role },
      expires: row.expires_at,
    },
  }
}

/** Slides with every use, up to the absolute end. */
function expiryOf(ctx: Context, created_at: string): string {
  const end = new Date(Date.parse(created_at) + SESSION_LIFE_MAX_MS).toISOString()
  const next = ctx.in(SESSION_LIFE_MS)
  return next < end ? next : end
}

const GUARD = `select refuse_caller() where not exists (select from sessions join memberships using (user_id, team_id)
  where id = $1 and team_id = $2 and role = $3 and expires_at > $4)`

/** Signs out; of a session that has ended already nothing is left to do. */
export async function endSession(ctx: Context, id: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const ended = await store.deleteSession(ctx, id)
    if (ended) record(ctx, signedOut, { kind: 'user', id: ended.user_id }, { sessions: 1 })
  })
}

export async function listOwnSessions(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
) {
  const { user_id, session_id } = ctx.requirePerson()
  const after = cursor ? decodeInstantCursor(cursor) : undefined
  const rows = await store.listSessionsOf(ctx, user_id, limit + 1, after)
  const { data, next_cursor } = pageOf(rows, limit)
  return { data: data.map(row => ({ ...row, current: row.id === session_id })), next_cursor }
}

export async function endOwnSession(ctx: Context, id: string): Promise<void> {
  const { user_id } = ctx.requirePerson()
  await ctx.transaction(async ctx => {
    const ended = await store.deleteSessionsOf(ctx, user_id, { id })
    if (ended === 0) throw new Problem('not_found', 'You have no such session.')
    record(ctx, signedOut, { kind: 'user', id: user_id }, { sessions: ended })
  })
}

export async function endOtherSessions(ctx: Context): Promise<{ ended: number }> {
  const { user_id, session_id } = ctx.requirePerson()
  return ctx.transaction(async ctx => {
    const ended = await store.deleteSessionsOf(ctx, user_id, { except: session_id! })
    if (ended > 0) record(ctx, signedOut, { kind: 'user', id: user_id }, { sessions: ended })
    return { ended }
  })
}
