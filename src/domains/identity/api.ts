import { Answer, page, redirect } from '#platform/answer.ts'
import type { Context } from '#platform/context.ts'
import { isEmail, type Handlers } from '#platform/contract.ts'
import { SigninRefused } from '#platform/ports/signin.ts'
import { Problem } from '#platform/problem.ts'
import { searchOf } from '#platform/query.ts'
import type { endpoints } from './contract.ts'
import { endedCookie, sessionCookie } from './cookie.ts'
import * as invitations from './invitations.ts'
import { createKey, getKey, listKeys, revokeKey } from './keys.ts'
import { askForLink } from './link-mail.ts'
import { findLinkOwner, redeemLink } from './links.ts'
import * as members from './members.ts'
import * as pages from './pages.ts'
import { ownPath, signInPath } from './return-to.ts'
import * as sessions from './sessions.ts'
import * as signin from './signin.ts'
import * as teams from './teams.ts'
import { tokensOf } from './tokens.ts'

export const api: Handlers<typeof endpoints> = {
  showSignIn: async (ctx, { query }) => page(await signInPage(ctx, ownPath(query.return_to))),
  listProviders: ctx => ({ data: signin.listProviders(ctx) }),
  beginSignIn: async (ctx, { params, query }) => {
    const return_to = ownPath(query.return_to)
    try {
      const { location, cookie } = await signin.beginSignIn(ctx, params.provider, return_to)
      return redirect(location, [cookie])
    } catch (error) {
      return refused(ctx, error, return_to)
    }
  },
  finishSignIn: async (ctx, { params, query, headers }) => {
    try {
      const search = searchOf(query)
      const { user_id, return_to } = await signin.finishSignIn(ctx, params.provider, search, headers.cookie)
      return redirect(return_to, [await signIn(ctx, user_id, params.provider), signin.endedAttempt(ctx)])
    } catch (error) {
      return refused(ctx, error, '/')
    }
  },
  readSession: async ctx => {
    const id = ctx.principal?.session_id
    return (id && (await sessions.findSession(ctx, id))?.session) || { user: null }
  },
  signOut: async ctx => {
    if (ctx.principal?.session_id) await sessions.endSession(ctx, ctx.principal.session_id)
    return new Answer(204, { 'set-cookie': endedCookie(ctx.runtime.settings), 'clear-site-data': '"cache"' })
  },
  showSigninLink: async (ctx, { params }) => {
    const user = await findLinkOwner(ctx, params.token)
    return user ? page(pages.linkPage(user.email)) : page(pages.usedLinkPage(), 404)
  },
  redeemSigninLink: async (ctx, { params }) => {
    const redeemed = await redeemLink(ctx, params.token)
    if (!redeemed) return page(pages.usedLinkPage(), 404)
    return redirect(redeemed.return_to, [await signIn(ctx, redeemed.user_id, 'link')])
  },
  askForLink: async (ctx, { body }) => {
    await askForLink(ctx, body.email, ownPath(body.return_to))
    return { status: 'accepted' as const }
  },
  askForLinkOnPage: async (ctx, { body }) => {
    const email = body?.email?.trim() ?? ''
    const return_to = ownPath(body?.return_to)
    if (!isEmail(email))
      return page(await signInPage(ctx, return_to, 'This is not a valid email address.'), 422)
    await askForLink(ctx, email, return_to)
    return page(pages.linkMailedPage(email, return_to), 202)
  },
  listSessions: (ctx, { query }) => sessions.listOwnSessions(ctx, query),
  endSession: (ctx, { params }) => sessions.endOwnSession(ctx, params.id),
  endOtherSessions: ctx => sessions.endOtherSessions(ctx),
  listOwnTeams: (ctx, { query }) => teams.listOwnTeams(ctx, query),
  readOwnTeam: (ctx, { params }) => teams.getOwnTeam(ctx, params.id),
  createTeam: (ctx, { body }) => teams.createTeam(ctx, body.name),
  switchTeam: (ctx, { body }) => teams.switchTeam(ctx, body.teamId),
  showInvitation: async (ctx, { params }) => {
    const invitation = await invitations.findInvitation(ctx, params.token)
    if (!invitation) return page(pages.usedInvitationPage(), 404)
    if (await invitations.mayAccept(ctx, invitation)) return page(pages.invitationPage(invitation))
    const here = signInPath(`/api/auth/invitation/${params.token}`)
    return page(pages.signInFirstPage(invitation, await addressOf(ctx), here))
  },
  acceptInvitation: async (ctx, { params }) => {
    const accepted = await invitations.acceptInvitation(ctx, params.token)
    if (!accepted) return redirect(`/api/auth/invitation/${params.token}`)
    return redirect('/', [await signIn(ctx, accepted.user_id, 'invitation', accepted.team_id)])
  },
  readTeam: ctx => teams.getTeam(ctx),
  changeTeam: (ctx, { body, ifMatch }) => teams.changeTeam(ctx, body.name, ifMatch),
  leaveTeam: ctx => members.leaveTeam(ctx),
  listMembers: (ctx, { query }) => members.listMembers(ctx, query),
  changeMember: (ctx, { params, body }) => members.changeRole(ctx, params.id, body.role),
  removeMember: (ctx, { params }) => members.removeMember(ctx, params.id),
  listInvitations: (ctx, { query }) => invitations.listInvitations(ctx, query),
  createInvitation: (ctx, { body }) => invitations.invite(ctx, body),
  readInvitation: (ctx, { params }) => invitations.readInvitation(ctx, params.id),
  resendInvitation: (ctx, { params }) => invitations.resendInvitation(ctx, params.id),
  revokeInvitation: (ctx, { params }) => invitations.revokeInvitation(ctx, params.id),
  listKeys: (ctx, { query }) => listKeys(ctx, query),
  createKey: (ctx, { body }) => createKey(ctx, body),
  readKey: (ctx, { params }) => getKey(ctx, params.id),
  revokeKey: (ctx, { params }) => revokeKey(ctx, params.id),
}

/** A new session; the one this browser had before ends with it. */
async function signIn(ctx: Context, user_id: string, method: string, team_id?: string): Promise<string> {
  if (ctx.principal?.session_id) await sessions.endSession(ctx, ctx.principal.session_id)
  const by = { method, ip: ctx.request?.ip ?? null, user_agent: ctx.request?.user_agent ?? null }
  const session_id = await sessions.startSession(ctx, user_id, by, team_id)
  return sessionCookie(ctx.runtime.settings, await tokensOf(ctx.runtime.settings).seal(session_id))
}

async function signInPage(ctx: Context, return_to: string, fault?: string): Promise<string> {
  const signedInAs = await addressOf(ctx)
  const providers = signin.listProviders(ctx)
  return pages.signInPage({ providers, return_to, signedInAs, ...(fault !== undefined && { fault }) })
}

/** A person who cannot get in is told why, on the page where another way is one click away. */
async function refused(ctx: Context, error: unknown, return_to: string): Promise<Answer> {
  if (error instanceof Problem) throw error
  const said = error instanceof SigninRefused
  if (!said || error.code === 'invalid') ctx.log.warn({ err: error }, 'sign-in failed')
  const fault = said ? error.message : 'The sign-in provider is not responding. Try again in a moment.'
  const headers = { 'set-cookie': signin.endedAttempt(ctx) }
  return page(await signInPage(ctx, return_to, fault), said ? 400 : 503, headers)
}

async function addressOf(ctx: Context): Promise<string | undefined> {
  const id = ctx.principal?.session_id
  return id ? (await sessions.findSession(ctx, id))?.session.user?.email : undefined
}
