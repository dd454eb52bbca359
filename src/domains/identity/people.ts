import type { Context } from '#platform/context.ts'
import { newId } from '#platform/ids.ts'
import { Problem } from '#platform/problem.ts'
import * as store from './store.ts'

/**
 * The user with that address. If there is none, one is created with its own team as SUPER_ADMIN, so that a
 * first sign-in has a place to work.
 */
export async function ensureUser(
  ctx: Context,
  email: string,
  name = nameFrom(email),
): Promise<store.UserRow> {
  return ctx.transaction(async ctx => {
    const user = await ensurePerson(ctx, email, name)
    await teamOf(ctx, user)
    return user
  })
}

/** The person with that address, made where there is none; teams are somebody else's matter. */
export async function ensurePerson(
  ctx: Context,
  email: string,
  name = nameFrom(email),
  image = '',
): Promise<store.UserRow> {
  return ctx.transaction(async ctx => {
    const known = await store.findUserByEmail(ctx, email)
    if (known) return known
    const at = ctx.now()
    const user = { id: ctx.newId(), email, name, image, created_at: at, updated_at: at }
    // Another process may be creating the same user: the second uses the first one's.
    return (await store.addUser(ctx, user)) ?? (await store.findUserByEmail(ctx, email))!
  })
}

export async function getUser(ctx: Context, id: string): Promise<store.UserRow> {
  const user = await store.findUser(ctx, id)
  if (!user) throw new Problem('not_found', 'No such person.')
  return user
}

/** These people by their ids, in one look. */
export async function getUsers(ctx: Context, ids: readonly string[]): Promise<Map<string, store.UserRow>> {
  return new Map((await store.findUsers(ctx, [...new Set(ids)])).map(user => [user.id, user]))
}

/** The team a person works in when nothing says which: the first it joined, or one that is founded for it. */
export async function homeTeam(ctx: Context, user_id: string): Promise<string> {
  const [membership] = await store.listMemberships(ctx, user_id)
  if (membership) return membership.team_id
  return ctx.transaction(async ctx => teamOf(ctx, await getUser(ctx, user_id)))
}

/** The teams of the person with that address, in the order of joining; none where there is no such person. */
export async function teamsOfAddress(ctx: Context, email: string): Promise<string[]> {
  const user = await store.findUserByEmail(ctx, email)
  return user ? (await store.listMemberships(ctx, user.id)).map(({ team_id }) => team_id) : []
}

/** Of many who come at once for the same person, the first founds the team and the others find it. */
async function teamOf(ctx: Context, user: store.UserRow): Promise<string> {
  await store.lockUser(ctx, user.id)
  const [membership] = await store.listMemberships(ctx, user.id)
  return membership?.team_id ?? foundTeam(ctx, user)
}

/** The first SUPER_ADMIN: who the link that a start prints is for. */
export async function findOperator(ctx: Context): Promise<store.UserRow | undefined> {
  return store.findFirstSuperAdmin(ctx)
}

export async function findDemoTeam(ctx: Context): Promise<store.TeamRow | undefined> {
  return store.findDemoTeam(ctx)
}

export function foundTeam(
  ctx: Context,
  user: store.UserRow,
  name = `${user.name}'s team`,
  demo = false,
): string {
  const id = newId(ctx.runtime.clock.now())
  const at = ctx.now()
  store.insertTeam(ctx, { id, name, demo, created_at: at, updated_at: at })
  store.insertMembership(ctx, { team_id: id, user_id: user.id, role: 'SUPER_ADMIN', created_at: at })
  return id
}

/** `ada.lovelace@example.com` → `Ada Lovelace`, until the person says better. */
function nameFrom(email: string): string {
  const words = email
    .split('@')[0]!
    .split(/[._+-]+/)
    .filter(Boolean)
  return words.map(word => word[0]!.toUpperCase() + word.slice(1)).join(' ') || email
}
