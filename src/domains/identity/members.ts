import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import type { Context } from '#platform/context.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record, type EventType } from '#platform/events.ts'
import { Problem, type Fault } from '#platform/problem.ts'
import { atLeast, type Role } from '#platform/scopes.ts'
import { memberJoined, memberLeft, memberRemoved, memberRoleChanged, type Member } from './contract.ts'
import { revokeKeysOf } from './keys.ts'
import { moveSessionsElsewhere } from './session-store.ts'
import * as store from './store.ts'

export async function findMember(
  ctx: Context,
  team_id: string,
  user_id: string,
): Promise<Member | undefined> {
  return store.findMember(ctx, team_id, user_id)
}

export async function isMember(ctx: Context, user_id: string): Promise<boolean> {
  return Boolean(await store.findMembership(ctx, ctx.team_id, user_id))
}

/** Of these addresses, in lower case, those that belong to somebody of the team, with who it is. */
export async function membersByEmail(ctx: Context, emails: readonly string[]): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map()
  const members = await store.findMembersByEmail(ctx, emails)
  return new Map(members.map(({ id, email }) => [email.toLowerCase(), id]))
}

/** Of these people, those who are of the team. */
export async function membersAmong(ctx: Context, ids: readonly string[]): Promise<Map<string, Member>> {
  if (ids.length === 0) return new Map()
  const members = await store.findMembersAmong(ctx, [...new Set(ids)])
  return new Map(members.map(member => [member.id, member]))
}

/** What is wrong with naming this person in a record. */
export async function memberFaults(
  ctx: Context,
  user_id: string | null | undefined,
  path: string,
): Promise<Fault[]> {
  return user_id && !(await isMember(ctx, user_id)) ? [{ path, message: 'is not a member of this team' }] : []
}

export async function listMembers(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
) {
  const rows = await store.listMembers(ctx, limit + 1, cursor ? decodeInstantCursor(cursor) : undefined)
  return pageOf(rows, limit)
}

/** Those who see to the team's settings. */
export async function listAdmins(ctx: Context): Promise<Member[]> {
  return store.listMembersInRoles(ctx, ['SUPER_ADMIN', 'ADMIN'])
}

/** Those who may change records, and so answer for the team. */
export async function listWriters(ctx: Context): Promise<Member[]> {
  return store.listMembersInRoles(ctx, ['SUPER_ADMIN', 'ADMIN', 'MEMBER'])
}

/** Joins a person to the team of the context; one who is there already stays as it is. */
export async function addMember(ctx: Context, user: store.UserRow, role: Role): Promise<void> {
  await ctx.transaction(async ctx => {
    if (await store.findMembership(ctx, ctx.team_id, user.id)) return
    store.insertMembership(ctx, { team_id: ctx.team_id, user_id: user.id, role, created_at: ctx.now() })
    const { name, email } = user
    record(ctx, memberJoined, { kind: 'member', id: user.id }, { name, email, role })
  })
}

export async function listPeopleOf(ctx: Context, team_id: string): Promise<string[]> {
  return store.listMemberIds(ctx, team_id)
}

/** Of these people, those who belong to no team any more. */
export async function deleteTeamless(ctx: Context, ids: string[]): Promise<void> {
  await store.deleteTeamless(ctx, ids)
}

export async function changeRole(ctx: Context, user_id: string, role: Role): Promise<Member> {
  return ctx.transaction(async ctx => {
    const member = await getForChange(ctx, user_id)
    requireRoleAtLeast(ctx, member.role)
    requireRoleAtLeast(ctx, role)
    if (member.role === role) return member
    if (member.role === 'SUPER_ADMIN') await requireAnotherSuperAdmin(ctx, user_id, 'be given another role')
    store.updateRole(ctx, user_id, role)
    const data = { email: member.email, before: member.role, after: role }
    record(ctx, memberRoleChanged, { kind: 'member', id: user_id }, data)
    return { ...member, role }
  })
}

export async function removeMember(ctx: Context, user_id: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const member = await getForChange(ctx, user_id)
    requireRoleAtLeast(ctx, member.role)
    await part(ctx, member, 'be removed', memberRemoved)
  })
}

export async function leaveTeam(ctx: Context): Promise<void> {
  const { user_id } = ctx.requirePerson()
  await ctx.transaction(async ctx => part(ctx, await getForChange(ctx, user_id), 'leave', memberLeft))
}

async function part(ctx: Context, member: Member, doing: string, event: EventType): Promise<void> {
  if (member.role === 'SUPER_ADMIN') await requireAnotherSuperAdmin(ctx, member.id, doing)
  await revokeKeysOf(ctx, member.id)
  // Grants and tokens of connected apps go with the membership, by their foreign key.
  store.deleteMembership(ctx, member.id)
  moveSessionsElsewhere(ctx, member.id)
  const { id, name, email, role } = member
  record(ctx, event, { kind: 'member', id }, { name, email, role })
}

async function getForChange(ctx: Context, user_id: string): Promise<Member> {
  const member = await store.findMember(ctx, ctx.team_id, user_id)
  if (!member) throw new Problem('not_found', 'No such member.')
  return member
}

/** No one can act above their own role: neither change a higher role nor grant one. */
export function requireRoleAtLeast(ctx: Context, needed: Role): void {
  const { role } = ctx.requirePerson()
  if (role && atLeast(role, needed)) return
  throw new Problem('forbidden', `This requires the role ${needed}.`, { code: 'role_too_low' })
}

/** The rows are locked: of two who leave at once, the second sees that it is the last. */
async function requireAnotherSuperAdmin(ctx: Context, user_id: string, doing: string): Promise<void> {
  const others = (await store.lockSuperAdmins(ctx)).filter(id => id !== user_id)
  if (others.length > 0) return
  throw new Problem(
    'conflict',
    `The last SUPER_ADMIN cannot ${doing}. Make somebody else SUPER_ADMIN first.`,
    { code: 'last_super_admin' },
  )
}
