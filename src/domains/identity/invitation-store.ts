import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'
import type { Invitation } from './contract.ts'

export type InvitationRow = Invitation & { team_id: string; hash: string }

const db = tables<{
  invitations: InvitationRow
  teams: { id: string; name: string }
  users: { id: string; name: string }
}>()

/** One that has run out is still listed for a while, so that it can be sent again. */
const SHOWN_MS = 30 * 86_400_000

export async function deleteLongExpired(ctx: Context): Promise<number> {
  return ctx.run(db.deleteFrom('invitations').where('expires_at', '<', ctx.in(-SHOWN_MS)))
}

export async function listInvitations(ctx: Context, limit: number, after: [string, string] | undefined) {
  let query = db
    .selectFrom('invitations')
    .select(invitationColumns)
    .where('team_id', '=', ctx.team_id)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
  if (after) query = query.where(sql<boolean>`(created_at, id) > (${after[0]}::timestamptz, ${after[1]})`)
  return ctx.all(query)
}

const invitationColumns = [
  'id',
  'email',
  'role',
  'invited_by',
  'mail_status',
  'expires_at',
  'created_at',
  'updated_at',
] as const

export async function countInvitations(ctx: Context): Promise<number> {
  const row = await ctx.first(
    db
      .selectFrom('invitations')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('team_id', '=', ctx.team_id),
  )
  return row!.count
}

/** Those whose mail did not get through, or may not have. */
export async function countUnsent(ctx: Context): Promise<number> {
  const row = await ctx.first(
    db
      .selectFrom('invitations')
      .select(sql<number>`count(*)`.as('count'))
      .where('team_id', '=', ctx.team_id)
      .where('mail_status', 'in', ['FAILED', 'UNKNOWN']),
  )
  return row!.count
}

export async function findTeamInvitation(ctx: Context, id: string): Promise<InvitationRow | undefined> {
  return ctx.first(
    db.selectFrom('invitations').selectAll().where('team_id', '=', ctx.team_id).where('id', '=', id),
  )
}

export async function findInvitationTo(ctx: Context, email: string): Promise<InvitationRow | undefined> {
  return ctx.first(
    db
      .selectFrom('invitations')
      .selectAll()
      .where('team_id', '=', ctx.team_id)
      .where(sql`lower(email)`, '=', email.toLowerCase()),
  )
}

export async function listInvitationsTo(ctx: Context, email: string, now: string): Promise<InvitationRow[]> {
  return ctx.acrossTeams().all(
    db
      .selectFrom('invitations')
      .selectAll()
      .where(sql`lower(email)`, '=', email.toLowerCase())
      .where('expires_at', '>', now)
      .orderBy('created_at'),
  )
}

export async function findInvitationByHash(ctx: Context, hash: string) {
  return ctx
    .acrossTeams()
    .first(
      db
        .selectFrom('invitations')
        .innerJoin('teams', 'teams.id', 'invitations.team_id')
        .leftJoin('users', 'users.id', 'invitations.invited_by')
        .selectAll('invitations')
        .select(['teams.name as team_name', 'users.name as inviter_name'])
        .where('hash', '=', hash),
    )
}

export function insertInvitation(ctx: Context, invitation: InvitationRow): void {
  ctx.later(db.insertInto('invitations').values(invitation))
}

export function updateInvitation(ctx: Context, id: string, changes: Partial<InvitationRow>): void {
  ctx.later(
    db.updateTable('invitations').set(changes).where('team_id', '=', ctx.team_id).where('id', '=', id),
  )
}

export async function deleteInvitation(ctx: Context, id: string): Promise<void> {
  await ctx.run(db.deleteFrom('invitations').where('team_id', '=', ctx.team_id).where('id', '=', id))
}

export async function takeInvitation(ctx: Context, id: string, hash: string): Promise<boolean> {
  return (
    (await ctx
      .acrossTeams()
      .run(db.deleteFrom('invitations').where('id', '=', id).where('hash', '=', hash))) > 0
  )
}
