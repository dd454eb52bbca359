import { hashOf } from '#platform/bearer.ts'
import type { Context } from '#platform/context.ts'
import { newSecret } from '#platform/ids.ts'
import { ensureUser } from './people.ts'
import { findUser, type UserRow } from './store.ts'
import * as store from './session-store.ts'

const LINK_LIFE_MS = 60 * 60_000

/** A link that signs a person in once, within the hour. Only its hash is stored. */
export async function createSigninLink(ctx: Context, email: string): Promise<string> {
  const token = newSecret()
  await ctx.transaction(async ctx => {
    const user = await ensureUser(ctx, email)
    store.insertLink(ctx, {
      hash: hashOf(token),
      user_id: user.id,
      expires_at: ctx.in(LINK_LIFE_MS),
      used_at: null,
      mailed_at: null,
      return_to: null,
    })
  })
  return linkAddress(ctx, token)
}

export function linkAddress(ctx: Context, token: string): string {
  return `${ctx.runtime.settings.baseUrl}/api/auth/link/${token}`
}

/** Whose link it is while it can still be used. */
export async function findLinkOwner(ctx: Context, token: string): Promise<UserRow | undefined> {
  const link = await store.findLink(ctx, hashOf(token))
  if (!link || link.used_at || link.expires_at <= ctx.now()) return undefined
  return findUser(ctx, link.user_id)
}

/** The user it signs in, and where to; undefined when it was used or has run out. */
export async function redeemLink(
  ctx: Context,
  token: string,
): Promise<{ user_id: string; return_to: string } | undefined> {
  const link = await store.useLink(ctx, hashOf(token))
  return link && { user_id: link.user_id, return_to: link.return_to ?? '/' }
}
