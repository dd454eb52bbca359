import { hashOf } from '#platform/bearer.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import type { Actor, Context } from '#platform/context.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import { newSecret } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { Problem } from '#platform/problem.ts'
import type { Role } from '#platform/scopes.ts'
import { seal } from '#platform/seal.ts'
import { nextVersion } from '#platform/version.ts'
import { invitationCreated, invitationResent, invitationRevoked, type Invitation } from './contract.ts'
import { addMember, requireRoleAtLeast } from './members.ts'
import { ensurePerson } from './people.ts'
import * as store from './invitation-store.ts'
import { findMembership, findUserByEmail, type UserRow } from './store.ts'
import { INVITATION_LIFE_DAYS, INVITATIONS_PENDING_MAX } from './values.ts'

const LIFE_MS = INVITATION_LIFE_DAYS * 86_400_000
export const MAIL_JOB = 'invitation.mail'
export const TOKEN_PURPOSE = 'invitation token'

export async function listInvitations(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
) {
  const rows = await store.listInvitations(ctx, limit + 1, cursor ? decodeInstantCursor(cursor) : undefined)
  return pageOf(rows, limit)
}

export async function readInvitation(ctx: Context, id: string): Promise<Invitation> {
  return shown(await getInvitation(ctx, id))
}

export { countUnsent as countUnsentInvitations } from './invitation-store.ts'

export async function invite(
  ctx: Context,
  { email, role }: { email: string; role: Role },
): Promise<Invitation> {
  requireRoleAtLeast(ctx, role)
  return ctx.transaction(async ctx => {
    const known = await store.findInvitationTo(ctx, email)
    if (known && known.expires_at > ctx.now())
      throw new Problem('conflict', 'This address has already been invited. Resend the invitation instead.', {
        code: 'already_invited',
      })
    const user = await findUserByEmail(ctx, email)
    if (user && (await findMembership(ctx, ctx.team_id, user.id)))
      throw new Problem('conflict', 'This person is already a member of the team.', {
        code: 'already_member',
      })
    if ((await store.countInvitations(ctx)) >= INVITATIONS_PENDING_MAX)
      throw new Problem('conflict', `There can be at most ${INVITATIONS_PENDING_MAX} pending invitations.`, {
        code: 'too_many_invitations',
      })
    if (known) await store.deleteInvitation(ctx, known.id)
    const at = ctx.now()
    const invitation: Invitation = {
      id: ctx.newId(),
      email,
      role,
      invited_by: ctx.principal?.user_id ?? null,
      mail_status: 'QUEUED',
      expires_at: ctx.in(LIFE_MS),
      created_at: at,
      updated_at: at,
    }
    store.insertInvitation(ctx, { ...invitation, team_id: ctx.team_id, hash: mailed(ctx, invitation.id) })
    record(ctx, invitationCreated, { kind: 'invitation', id: invitation.id }, { email, role })
    return invitation
  })
}

export async function resendInvitation(ctx: Context, id: string): Promise<Invitation> {
  return ctx.transaction(async ctx => {
    const invitation = await getInvitation(ctx, id)
    requireRoleAtLeast(ctx, invitation.role)
    const changes = {
      mail_status: 'QUEUED' as const,
      expires_at: ctx.in(LIFE_MS),
      updated_at: nextVersion(invitation.updated_at, ctx.now()),
    }
    store.updateInvitation(ctx, id, { ...changes, hash: mailed(ctx, id) })
    const { email, role } = invitation
    record(ctx, invitationResent, { kind: 'invitation', id }, { email, role })
    return { ...shown(invitation), ...changes }
  })
}

export async function revokeInvitation(ctx: Context, id: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const { email, role } = await getInvitation(ctx, id)
    requireRoleAtLeast(ctx, role)
    await store.deleteInvitation(ctx, id)
    record(ctx, invitationRevoked, { kind: 'invitation', id }, { email, role })
  })
}

/** What the page behind the mailed link shows; undefined when it was used, taken back or has run out. */
export async function findInvitation(ctx: Context, token: string) {
  const invitation = await store.findInvitationByHash(ctx, hashOf(token))
  return invitation && invitation.expires_at > ctx.now() ? invitation : undefined
}

/**
 * Whether this visitor may take the invitation. The mailed link is proof enough to make a new person; into an account
 * that is there already it opens no door: mails lie about for longer than a sign-in link may live.
 */
export async function mayAccept(ctx: Context, { email }: { email: string }): Promise<boolean> {
  const known = await findUserByEmail(ctx, email)
  return !known || ctx.principal?.user_id === known.id
}

/**
 * Joins the team and returns the user to sign in; undefined if the link is no longer valid or not for this
 * visitor.
 */
export async function acceptInvitation(
  ctx: Context,
  token: string,
): Promise<{ user_id: string; team_id: string } | undefined> {
  const invitation = await findInvitation(ctx, token)
  if (!invitation) return undefined
  const { team_id } = invitation
  return ctx.forTeam(team_id).transaction(async ctx => {
    if (!(await mayAccept(ctx, invitation))) return undefined
    const user_id = await join(ctx, invitation)
    return user_id === undefined ? undefined : { user_id, team_id }
  })
}

/** A first sign-in joins the teams that wait for the address, instead of founding one. */
export async function acceptAllFor(ctx: Context, user: UserRow): Promise<void> {
  for (const invitation of await store.listInvitationsTo(ctx, user.email, ctx.now()))
    await ctx.forTeam(invitation.team_id).transaction(ctx => join(ctx, invitation))
}

/** Deleting is the claim: of two presses of the button one finds the invitation. */
async function join(ctx: Context, { id, hash, email, role }: store.InvitationRow) {
  if (!(await store.takeInvitation(ctx, id, hash))) return undefined
  const user = await ensurePerson(ctx, email)
  const actor: Actor = { kind: 'person', id: user.id, name: user.name }
  await addMember(ctx.as(actor), user, role)
  return user.id
}

/** Puts the mail into the queue with its one-time token, encrypted; what stays is the token's hash. */
function mailed(ctx: Context, invitation_id: string): string {
  const token = newSecret()
  const sealed = seal(ctx.runtime.settings, TOKEN_PURPOSE, token)
  enqueue(ctx, { kind: MAIL_JOB, data: { invitation_id, token: sealed } })
  return hashOf(token)
}

async function getInvitation(ctx: Context, id: string): Promise<store.InvitationRow> {
  const invitation = await store.findTeamInvitation(ctx, id)
  if (!invitation) throw new Problem('not_found', 'No such invitation.')
  return invitation
}

function shown({ hash: _, team_id: __, ...invitation }: store.InvitationRow): Invitation {
  return invitation
}
