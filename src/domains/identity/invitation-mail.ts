import { hashOf } from '#platform/bearer.ts'
import type { Context } from '#platform/context.ts'
import { html, letter } from '#platform/html.ts'
import { fence, type Job } from '#platform/jobs/queue.ts'
import { MailUncertain, type Mail } from '#platform/ports/mail.ts'
import { unseal } from '#platform/seal.ts'
import { TOKEN_PURPOSE } from './invitations.ts'
import * as store from './invitation-store.ts'
import { findTeam, findUser } from './store.ts'
import type { InvitationMailStatus } from './values.ts'

/**
 * Sends one invitation. The row is marked SENDING before the mail server is called; if it is found in that
 * state later, an earlier attempt died in between. It is not sent again: the row becomes UNKNOWN, and a
 * person decides.
 */
export async function mailInvitation(ctx: Context, job: Job): Promise<void> {
  const { invitation_id, token: sealed } = job.data as { invitation_id: string; token: string }
  const token = unseal(ctx.runtime.settings, TOKEN_PURPOSE, sealed)
  const invitation = await store.findTeamInvitation(ctx, invitation_id)
  // Taken back, accepted, or sent again with another token meanwhile: nothing to do any more.
  if (!token || invitation?.hash !== hashOf(token)) return
  if (invitation.mail_status === 'SENDING') return note(ctx, job, invitation_id, 'UNKNOWN')
  if (invitation.mail_status !== 'QUEUED' && invitation.mail_status !== 'FAILED') return
  const mail = await compose(ctx, invitation, token)
  await note(ctx, job, invitation_id, 'SENDING')
  try {
    await ctx.runtime.ports.mail.send(mail)
  } catch (error) {
    await note(ctx, job, invitation_id, error instanceof MailUncertain ? 'UNKNOWN' : 'FAILED')
    if (error instanceof MailUncertain) return
    throw error
  }
  await note(ctx, job, invitation_id, 'SENT')
}

/** Only while the job is still ours: a worker that was frozen and woke again writes nothing. */
async function note(ctx: Context, job: Job, id: string, mail_status: InvitationMailStatus): Promise<void> {
  await ctx.transaction(async ctx => {
    fence(ctx, job)
    store.updateInvitation(ctx, id, { mail_status })
  })
}

async function compose(ctx: Context, invitation: store.InvitationRow, token: string): Promise<Mail> {
  const { baseUrl } = ctx.runtime.settings
  const team = await findTeam(ctx, ctx.team_id)
  const inviter = invitation.invited_by ? await findUser(ctx, invitation.invited_by) : undefined
  const link = `${baseUrl}/api/auth/invitation/${token}`
  const who = inviter ? `${inviter.name} (${inviter.email})` : 'An admin'
  const team_name = team?.name ?? 'a team'
  const until = new Date(invitation.expires_at).toUTCString().slice(5, 16)
  return {
    to: invitation.email,
    subject: `Join ${team_name} on Rapport`,
    message_id: `<invitation-${invitation.id}-${ctx.newId()}@${new URL(baseUrl).hostname}>`,
    text: `${who} has invited you to join ${team_name} on Rapport.\n\nOpen this link to join:\n${link}\n\nThe link can be used once and expires on ${until}. If you were not expecting this email, you can ignore it.\n`,
    html: letter(
      `Join ${team_name}`,
      html`<h1>Join ${team_name}</h1>
        <p>${who} has invited you to join <strong>${team_name}</strong> on Rapport.</p>
        <p><a href="${link}">Join the team</a></p>
        <p>
          The link can be used once and expires on ${until}. If you were not expecting this email, you can
          ignore it.
        </p>`,
    ),
  }
}
