import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'
import type { Role, Scope } from '#platform/scopes.ts'

export type UserRow = {
  id: string
  email: string
  name: string
  image: string
  created_at: string
  updated_at: string
}
export type TeamRow = { id: string; name: string; demo: boolean; created_at: string; updated_at: string }
type MembershipRow = { team_id: string; user_id: string; role: Role; created_at: string }
export type SessionRow = {
  id: string
  user_id: string
  team_id: string
  created_at: string
  last_seen_at: string
  expires_at: string
  ip: string | null
  user_agent: string | null
}
type LinkRow = { hash: string; user_id: string; expires_at: string; used_at: string | null }
export type KeyRow = {
  id: string
  team_id: string
  hash: string
  prefix: string
  name: string
  scopes: Scope[]
  created_by: string | null
  last_used_at: string | null
  expires_at: string | null
  created_at: string
}

export const db = tables<{
  users: UserRow
  teams: TeamRow
  memberships: MembershipRow
  sessions: SessionRow
  signin_links: LinkRow
  api_keys: KeyRow
}>()

export async function findUser(ctx: Context, id: string): Promise<UserRow | undefined> {
  return ctx.first(db.selectFrom('users').selectAll().where('id', '=', id))
}

export async function findUserByEmail(ctx: Context, email: string): Promise<UserRow | undefined> {
  return ctx.first(
    db
      .selectFrom('users')
      .selectAll()
      .where(sql`lower(email)`, '=', email.toLowerCase()),
  )
}

export async function findFirstSuperAdmin(ctx: Context): Promise<UserRow | undefined> {
  return ctx.first(
    db
      .selectFrom('users')
      .innerJoin('memberships', 'memberships.user_id', 'users.id')
      .selectAll('users')
      .where('memberships.role', '=', 'SUPER_ADMIN')
      .orderBy('memberships.created_at')
      .orderBy('users.id')
      .limit(1),
  )
}

export function insertUser(ctx: Context, user: UserRow): void {
  ctx.later(db.insertInto('users').values(user))
}

export function insertTeam(ctx: Context, team: TeamRow): void {
  ctx.later(db.insertInto('teams').values(team))
}

export function insertMembership(ctx: Context, membership: MembershipRow): void {
  ctx.later(db.insertInto('memberships').values(membership))
}

export async function findMembership(
  ctx: Context,
  team_id: string,
  user_id: string,
): Promise<MembershipRow | undefined> {
  return ctx.first(
    db.selectFrom('memberships').selectAll().where('team_id', '=', team_id).where('user_id', '=', user_id),
  )
}

export async function listMemberships(ctx: Context, user_id: string): Promise<MembershipRow[]> {
  return ctx.all(
    db.selectFrom('memberships').selectAll().where('user_id', '=', user_id).orderBy('created_at'),
  )
}

export async function listTeamIds(ctx: Context): Promise<string[]> {
  return (await ctx.all(db.selectFrom('teams').select('id').orderBy('id'))).map(team => team.id)
}

export async function findTeam(ctx: Context, id: string): Promise<TeamRow | undefined> {
  return ctx.first(db.selectFrom('teams').selectAll().where('id', '=', id))
}

export async function findDemoTeam(ctx: Context): Promise<TeamRow | undefined> {
  return ctx.first(db.selectFrom('teams').selectAll().where('demo', '=', true))
}

export async function listMembers(ctx: Context, limit: number, after: [string, string] | undefined) {
  let query = db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select([
      'users.id',
      'users.name',
      'users.email',
      'users.image',
      'memberships.role',
      'memberships.created_at',
    ])
    .where('memberships.team_id', '=', ctx.team_id)
    .orderBy('memberships.created_at')
    .orderBy('users.id')
    .limit(limit)
  if (after) {
    query = query.where(
      sql<boolean>`(memberships.created_at, users.id) > (${after[0]}::timestamptz, ${after[1]})`,
    )
  }
  return ctx.all(query)
}

/** Everything a request by session needs to know, in one look-up: revoking or expiring counts at the next request. */
export async function findSession(ctx: Context, id: string) {
  return ctx.first(
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .innerJoin('memberships', join =>
        join
          .onRef('memberships.user_id', '=', 'sessions.user_id')
          .onRef('memberships.team_id', '=', 'sessions.team_id'),
      )
      .select([
        'sessions.id',
        'sessions.user_id',
        'sessions.team_id',
        'sessions.expires_at',
        'sessions.last_seen_at',
        'users.name',
        'users.email',
        'users.image',
        'memberships.role',
      ])
      .where('sessions.id', '=', id),
  )
}

export function insertSession(ctx: Context, session: SessionRow): void {
  ctx.later(db.insertInto('sessions').values(session))
}

export async function extendSession(
  ctx: Context,
  id: string,
  last_seen_at: string,
  expires_at: string,
): Promise<void> {
  await ctx.run(db.updateTable('sessions').set({ last_seen_at, expires_at }).where('id', '=', id))
}

export async function deleteSession(ctx: Context, id: string): Promise<void> {
  await ctx.run(db.deleteFrom('sessions').where('id', '=', id))
}

export async function deleteExpired(ctx: Context): Promise<number> {
  const sessions = await ctx.run(db.deleteFrom('sessions').where('expires_at', '<', ctx.now()))
  const links = await ctx.run(db.deleteFrom('signin_links').where('expires_at', '<', ctx.now()))
  return sessions + links
}

export function insertLink(ctx: Context, link: LinkRow): void {
  ctx.later(db.insertInto('signin_links').values(link))
}

export async function findLink(ctx: Context, hash: string): Promise<LinkRow | undefined> {
  return ctx.first(db.selectFrom('signin_links').selectAll().where('hash', '=', hash))
}

/** One conditional update: of any number of parallel tries one wins. */
export async function useLink(ctx: Context, hash: string): Promise<LinkRow | undefined> {
  return ctx.first(
    db
      .updateTable('signin_links')
      .set({ used_at: ctx.now() })
      .where('hash', '=', hash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', ctx.now())
      .returningAll(),
  )
}

const keyColumns = [
  'id',
  'name',
  'prefix',
  'scopes',
  'created_by',
  'last_used_at',
  'expires_at',
  'created_at',
] as const

export async function findKeyByHash(ctx: Context, hash: string): Promise<KeyRow | undefined> {
  return ctx.first(db.selectFrom('api_keys').selectAll().where('hash', '=', hash))
}

export async function listKeys(ctx: Context, limit: number, after: [string, string] | undefined) {
  let query = db
    .selectFrom('api_keys')
    .select(keyColumns)
    .where('team_id', '=', ctx.team_id)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
  if (after) query = query.where(sql<boolean>`(created_at, id) > (${after[0]}::timestamptz, ${after[1]})`)
  return ctx.all(query)
}

export function insertKey(ctx: Context, key: KeyRow): void {
  ctx.later(db.insertInto('api_keys').values(key))
}

export async function deleteKey(ctx: Context, id: string): Promise<KeyRow | undefined> {
  return ctx.first(
    db.deleteFrom('api_keys').where('team_id', '=', ctx.team_id).where('id', '=', id).returningAll(),
  )
}

export async function touchKey(ctx: Context, id: string, last_used_at: string): Promise<void> {
  await ctx.run(db.updateTable('api_keys').set({ last_used_at }).where('id', '=', id))
}
