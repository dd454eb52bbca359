import { sql } from 'kysely'
import type { Actor, Context } from '#platform/context.ts'
import type { Role } from '#platform/scopes.ts'
import * as identity from '#domains/identity/store.ts'

/** Who a development installation belongs to until somebody else signs in. */
export const OPERATOR_EMAIL = 'maya.lindqvist@brightwater.test'

export const FOUNDER = { name: 'Maya Lindqvist', email: OPERATOR_EMAIL }

const colleagues = {
  jonas: { name: 'Jonas Weber', email: 'jonas.weber@brightwater.test', role: 'ADMIN' },
  priya: { name: 'Priya Raman', email: 'priya.raman@brightwater.test', role: 'MEMBER' },
  tom: { name: 'Tom Gallagher', email: 'tom.gallagher@brightwater.test', role: 'MEMBER' },
  elif: { name: 'Elif Kaya', email: 'elif.kaya@brightwater.test', role: 'VIEWER' },
} as const satisfies Record<string, { name: string; email: string; role: Role }>

export type Member = Actor & { kind: 'person'; id: string; name: string }
export type Members = Record<'maya' | keyof typeof colleagues, Member>

/** The team's people. Who has the address already joins as it is. */
export async function joinMembers(ctx: Context, team_id: string): Promise<Members> {
  const members: Record<string, Member> = { maya: await join(ctx, team_id, { ...FOUNDER, role: 'ADMIN' }) }
  for (const [key, person] of Object.entries(colleagues)) members[key] = await join(ctx, team_id, person)
  return members as Members
}

export async function ensureUser(
  ctx: Context,
  { name, email }: { name: string; email: string },
): Promise<identity.UserRow> {
  const known = await identity.findUserByEmail(ctx, email)
  if (known) return known
  const user = { id: ctx.newId(), email, name, image: '', created_at: ctx.now(), updated_at: ctx.now() }
  identity.insertUser(ctx, user)
  return user
}

export async function listPeople(ctx: Context, team_id: string): Promise<string[]> {
  const rows = await ctx.all(
    identity.db.selectFrom('memberships').select('user_id').where('team_id', '=', team_id),
  )
  return rows.map(row => row.user_id)
}

/** Of these people, those who belong to no team any more. */
export async function deleteTeamless(ctx: Context, ids: string[]): Promise<void> {
  const elsewhere = identity.db.selectFrom('memberships').select('user_id')
  const among = sql<string>`any(${ids}::text[])`
  await ctx.run(identity.db.deleteFrom('users').where('id', '=', among).where('id', 'not in', elsewhere))
}

async function join(
  ctx: Context,
  team_id: string,
  person: { name: string; email: string; role: Role },
): Promise<Member> {
  const user = await ensureUser(ctx, person)
  if (!(await identity.findMembership(ctx, team_id, user.id))) {
    identity.insertMembership(ctx, { team_id, user_id: user.id, role: person.role, created_at: ctx.now() })
  }
  return { kind: 'person', id: user.id, name: user.name }
}
