import type { Context } from '#platform/context.ts'
import { hashOf } from '#platform/bearer.ts'
import { authenticateClient, proofOf } from './client-auth.ts'
import { oauthError } from './errors.ts'
import { fieldsOf, required } from './parameters.ts'
import * as store from './token-store.ts'

/** RFC 7009. A token that is unknown, or no longer valid, is as good as revoked: that is no error. */
export async function revokeToken(
  ctx: Context,
  body: unknown,
  authorization: string | undefined,
): Promise<Record<string, never>> {
  const fields = fieldsOf(body)
  const token = required(fields, 'token')
  const client = await authenticateClient(ctx, proofOf(fields, authorization))
  const hash = hashOf(token)
  const refresh = await store.findRefreshToken(ctx, hash)
  const access = refresh ? undefined : await store.findAccessToken(ctx, hash)
  const found = refresh ?? access
  if (found && found.client_id !== client.id)
    throw oauthError('invalid_grant', 'The token was issued to another client.')
  if (refresh) await store.endFamily(ctx, refresh)
  if (access) await store.endAccessToken(ctx, hash)
  return {}
}
