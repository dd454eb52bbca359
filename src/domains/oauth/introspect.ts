import type { Context } from '#platform/context.ts'
import { hashOf } from '#platform/bearer.ts'
import { authenticateClient, proofOf } from './client-auth.ts'
import { effectiveScopes } from './bearer.ts'
import { invalidClient } from './errors.ts'
import { fieldsOf, required } from './parameters.ts'
import * as store from './token-store.ts'

/** RFC 7662, for confidential clients and their own tokens; of every other token it only says that it is not active. */
export async function introspectToken(ctx: Context, body: unknown, authorization: string | undefined) {
  const fields = fieldsOf(body)
  const token = required(fields, 'token')
  const client = await authenticateClient(ctx, proofOf(fields, authorization))
  if (client.secret_hash === null) throw invalidClient('Only a confidential client can introspect tokens.')
  const hash = hashOf(token)
  const access = await store.findAccessToken(ctx, hash)
  const refresh = access ? undefined : await store.findRefreshToken(ctx, hash)
  const pair = access ?? (refresh?.rotated_at ? undefined : refresh)
  if (!pair || pair.client_id !== client.id) return { active: false }
  const expires_at = access ? pair.access_expires_at : pair.refresh_expires_at
  const known = await effectiveScopes(ctx, pair, access ? pair.access_scopes : pair.scopes)
  if (!known || expires_at <= ctx.now()) return { active: false }
  const { baseUrl } = ctx.runtime.settings
  return {
    active: true,
    scope: known.scopes.join(' '),
    client_id: client.id,
    username: known.email,
    sub: pair.user_id,
    iss: baseUrl,
    aud: pair.audience ?? baseUrl,
    iat: secondsOf(pair.created_at),
    exp: secondsOf(expires_at),
    ...(access && { token_type: 'Bearer' }),
  }
}

function secondsOf(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000)
}
