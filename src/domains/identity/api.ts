import { Answer, page, redirect } from '#platform/answer.ts'
import type { Context } from '#platform/context.ts'
import type { Handlers } from '#platform/contract.ts'
import { html, layout } from '#platform/html.ts'
import { endedCookie, sessionCookie } from './cookie.ts'
import type { endpoints } from './contract.ts'
import * as identity from './service.ts'
import { createKey, revokeKey } from './keys.ts'
import { findLinkOwner, redeemLink } from './links.ts'
import { endSession, findSession, startSession } from './sessions.ts'
import { tokensOf } from './tokens.ts'

export const api: Handlers<typeof endpoints> = {
  readSession: async ctx => {
    const id = ctx.principal?.session_id
    return (id && (await findSession(ctx, id))?.session) || { user: null }
  },
  signOut: async ctx => {
    if (ctx.principal?.session_id) await endSession(ctx, ctx.principal.session_id)
    return new Answer(204, { 'set-cookie': endedCookie(ctx.runtime.settings), 'clear-site-data': '"cache"' })
  },
  showSigninLink: async (ctx, { params }) => {
    const user = await findLinkOwner(ctx, params.token)
    return user ? page(confirmPage(user.email)) : page(usedPage(), 404)
  },
  redeemSigninLink: async (ctx, { params }) => {
    const user_id = await redeemLink(ctx, params.token)
    if (!user_id) return page(usedPage(), 404)
    return redirect('/', [await signIn(ctx, user_id)])
  },
  readTeam: ctx => identity.getTeam(ctx),
  listMembers: (ctx, { query }) => identity.listMembers(ctx, query),
  listKeys: (ctx, { query }) => identity.listKeys(ctx, query),
  createKey: (ctx, { body }) => createKey(ctx, body),
  revokeKey: (ctx, { params }) => revokeKey(ctx, params.id),
}

async function signIn(ctx: Context, user_id: string): Promise<string> {
  const by = { method: 'link', ip: ctx.request?.ip ?? null, user_agent: ctx.request?.user_agent ?? null }
  const session_id = await startSession(ctx, user_id, by)
  return sessionCookie(ctx.runtime.settings, await tokensOf(ctx.runtime.settings).seal(session_id))
}

/** A button, not an automatic sign-in: scanners that open every link in a mail use nothing up. */
function confirmPage(email: string): string {
  return layout(
    'Sign in',
    html`<h1>Sign in to Rapport</h1>
      <p>You are about to sign in as <strong>${email}</strong>.</p>
      <form method="post"><button autofocus>Sign in</button></form>`,
  )
}

function usedPage(): string {
  return layout(
    'Link no longer valid',
    html`<h1>This link is no longer valid</h1>
      <p>A sign-in link works once, within one hour. Ask the operator for a new one:</p>
      <pre>npx rapport signin-link --email you@example.com</pre>`,
  )
}
