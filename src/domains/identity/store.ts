import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'
import type { Role } from '#platform/scopes.ts'
import type { Member } from './contract.ts'

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
export type IdentityRow = {
  provider: string
  subject: string
  user_id: string
  email: string
  created_at: string
  last_used_at: string
}

const db = tables<{
  users: UserRow
  teams: TeamRow
  memberships: MembershipRow
  user_identities: IdentityRow
}>()

export async function findUser(ctx: Context, id: string): Promise<UserRow | undefined> {
  return ctx.first(db.selectFrom('users').selectAll().where('id', '=', id))
}

export async function findUsers(ctx: Context, ids: string[]): Promise<UserRow[]> {
  return ctx.all(
    db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', sql<string>`any(${ids}::text[])`),
  )
}

/** Holds the person until the transaction ends. */
export async function lockUser(ctx: Context, id: string): Promise<void> {
  await ctx.all(db.selectFrom('users').select('id').where('id', '=', id).forUpdate())
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

/** Undefined when somebody else has just taken the address. */
export async function addUser(ctx: Context, user: UserRow): Promise<UserRow | undefined> {
  return ctx.first(
    db
      .insertInto('users')
      .values(user)
      .onConflict(conflict => conflict.doNothing())
      .returningAll(),
  )
}

export async function findIdentity(ctx: Context, provider: string, subject: string) {
  return ctx.first(
    db
      .selectFrom('user_identities')
      .selectAll()
      .where('provider', '=', provider)
      .where('subject', '=', subject),
  )
}

export function putIdentity(ctx: Context, identity: IdentityRow): void {
  const { email, last_used_at } = identity
  ctx.later(
    db
      .insertInto('user_identities')
      .values(identity)
      .onConflict(conflict => conflict.columns(['provider', 'subject']).doUpdateSet({ email, last_used_at })),
  )
}

export function updateImage(ctx: Context, user_id: string, image: string): void {
  ctx.later(db.updateTable('users').set({ image, updated_at: ctx.now() }).where('id', '=', user_id))
}

export function insertTeam(ctx: Context, team: TeamRow): void {
  ctx.acrossTeams().later(db.insertInto('teams').values(team))
}

export function insertMembership(ctx: Context, membership: MembershipRow): void {
  ctx.acrossTeams().later(db.insertInto('memberships').values(membership))
}

export async function findMembership(
  ctx: Context,
  team_id: string,
  user_id: string,
): Promise<MembershipRow | undefined> {
  return ctx
    .acrossTeams()
    .first(
      db.selectFrom('memberships').selectAll().where('team_id', '=', team_id).where('user_id', '=', user_id),
    )
}

export async function listMemberships(ctx: Context, user_id: string): Promise<MembershipRow[]> {
  return ctx
    .acrossTeams()
    .all(db.selectFrom('memberships').selectAll().where('user_id', '=', user_id).orderBy('created_at'))
}

export async function listTeamsOf(
  ctx: Context,
  user_id: string,
  limit: number,
  after: [string, string] | undefined,
) {
  let query = db
    .selectFrom('memberships')
    .innerJoin('teams', 'teams.id', 'memberships.team_id')
    .select(['teams.id', 'teams.name', 'memberships.role', 'memberships.created_at'])
    .where('memberships.user_id', '=', user_id)
    .orderBy('memberships.created_at')
    .orderBy('teams.id')
    .limit(limit)
  if (after) {
    query = query.where(
      sql<boolean>`(memberships.created_at, teams.id) > (${after[0]}::timestamptz, ${after[1]})`,
    )
  }
  return ctx.acrossTeams().all(query)
}

export async function lockTeam(ctx: Context, id: string): Promise<TeamRow | undefined> {
  return ctx.first(db.selectFrom('teams').selectAll().where('id', '=', id).forUpdate())
}

export async function findMember(
  ctx: Context,
  team_id: string,
  user_id: string,
): Promise<Member | undefined> {
  return ctx.acrossTeams().first(membersOf(team_id).where('memberships.user_id', '=', user_id))
}

export function updateRole(ctx: Context, user_id: string, role: Role): void {
  ctx.later(
    db
      .updateTable('memberships')
      .set({ role })
      .where('team_id', '=', ctx.team_id)
      .where('user_id', '=', user_id),
  )
}

export function deleteMembership(ctx: Context, user_id: string): void {
  ctx.later(db.deleteFrom('memberships').where('team_id', '=', ctx.team_id).where('user_id', '=', user_id))
}

/** In one order, so that two who lock them never wait for each other in a circle. */
export async function lockSuperAdmins(ctx: Context): Promise<string[]> {
  const rows = await ctx.all(
    db
      .selectFrom('memberships')
      .select('user_id')
      .where('team_id', '=', ctx.team_id)
      .where('role', '=', 'SUPER_ADMIN')
      .orderBy('user_id')
      .forUpdate(),
  )
  return rows.map(row => row.user_id)
}

export function updateTeam(ctx: Context, changes: Partial<TeamRow>): void {
  ctx.later(db.updateTable('teams').set(changes).where('id', '=', ctx.team_id))
}

export async function listTeamIds(ctx: Context, limit?: number): Promise<string[]> {
  const teams = db.selectFrom('teams').select('id').orderBy('id')
  return (await ctx.acrossTeams().all(limit === undefined ? teams : teams.limit(limit))).map(team => team.id)
}

export async function listRealTeamIds(ctx: Context, limit: number): Promise<string[]> {
  const teams = db.selectFrom('teams').select('id').where('demo', '=', false).orderBy('id').limit(limit)
  return (await ctx.acrossTeams().all(teams)).map(team => team.id)
}

export async function findTeam(ctx: Context, id: string): Promise<TeamRow | undefined> {
  return ctx.acrossTeams().first(db.selectFrom('teams').selectAll().where('id', '=', id))
}

export async function findDemoTeam(ctx: Context): Promise<TeamRow | undefined> {
  return ctx.first(db.selectFrom('teams').selectAll().where('demo', '=', true))
}

export async function listMembers(ctx: Context, limit: number, after: [string, string] | undefined) {
  let query = membersOf(ctx.team_id).orderBy('memberships.created_at').orderBy('users.id').limit(limit)
  if (after) {
    query = query.where(
      sql<boolean>`(memberships.created_at, users.id) > (${after[0]}::timestamptz, ${after[1]})`,
    )
  }
  return ctx.all(query)
}

export async function findMembersByEmail(ctx: Context, emails: readonly string[]) {
  return ctx.all(
    membersOf(ctx.team_id).where(sql`lower(users.email)`, '=', sql<string>`any(${emails}::text[])`),
  )
}

export async function findMembersAmong(ctx: Context, ids: readonly string[]): Promise<Member[]> {
  return ctx.all(membersOf(ctx.team_id).where('users.id', '=', sql<string>`any(${ids}::text[])`))
}

export async function listMembersInRoles(ctx: Context, roles: readonly Role[]): Promise<Member[]> {
  return ctx.all(membersOf(ctx.team_id).where('memberships.role', 'in', roles).orderBy('users.id'))
}

function membersOf(team_id: string) {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select([
      'users.id',
      'users.name',
      'users.email',
      sql<string | null>`nullif(users.image, '')`.as('image'),
      'memberships.role',
      'memberships.created_at',
    ])
    .where('memberships.team_id', '=', team_id)
}

export async function listMemberIds(ctx: Context, team_id: string): Promise<string[]> {
  const rows = await ctx.all(db.selectFrom('memberships').select('user_id').where('team_id', '=', team_id))
  return rows.map(row => row.user_id)
}

export async function deleteTeamless(ctx: Context, ids: string[]): Promise<void> {
  const elsewhere = db.selectFrom('memberships').select('user_id')
  const among = sql<string>`any(${ids}::text[])`
  await ctx.run(db.deleteFrom('users').where('id', '=', among).where('id', 'not in', elsewhere))
}
