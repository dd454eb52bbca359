import type { Context } from '#platform/context.ts'
import { hashOf } from '#platform/bearer.ts'
import { newSecret } from '#platform/ids.ts'
import type { Problem } from '#platform/problem.ts'
import type { Scope } from '#platform/scopes.ts'
import { authenticateClient, type ClientProof } from './client-auth.ts'
import type { TokenAnswer } from './contract.ts'
import { oauthError } from './errors.ts'
import { answerOf, makePair } from './pair.ts'
import { required } from './parameters.ts'
import { challengeOf, fits, isVerifier } from './pkce.ts'
import type { AuthorizationRequest } from './request.ts'
import * as store from './token-store.ts'

export const CODE_LIFE_MS = 60_000
const CODE_PREFIX = 'rpc_'

/** A code for what a person allowed just now, or earlier. It goes out with the transaction it is made in. */
export function makeCode(
  ctx: Context,
  { client_id, redirect_uri, challenge, resource }: AuthorizationRequest,
  grant: { id: string; scopes: Scope[] },
): string {
  const code = CODE_PREFIX + newSecret()
  store.insertCode(ctx, {
    hash: hashOf(code),
    grant_id: grant.id,
    client_id,
    redirect_uri,
    scopes: grant.scopes,
    challenge,
    resource,
    expires_at: ctx.in(CODE_LIFE_MS),
    used_at: null,
    family_id: ctx.newId(),
  })
  return code
}

/** grant_type=authorization_code: one statement when everything is right; what is wrong is looked for only when it is. */
export async function exchangeCode(
  ctx: Context,
  fields: Record<string, string>,
  by: ClientProof,
): Promise<TokenAnswer> {
  const code = required(fields, 'code')
  const redirect_uri = required(fields, 'redirect_uri')
  const verifier = required(fields, 'code_verifier')
  if (!isVerifier(verifier))
    throw oauthError('invalid_request', 'code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~')
  const pair = makePair(ctx)
  const asked = {
    hash: hashOf(code),
    redirect_uri,
    challenge: challengeOf(verifier),
    resource: fields.resource,
  }
  const redeemed = await store.redeemCode(ctx, asked, by, pair.stored)
  if (redeemed) return answerOf(pair, redeemed)
  throw await whyNot(ctx, asked, verifier, by)
}

type Asked = Parameters<typeof store.redeemCode>[1]

/** Client, redirect_uri and verifier come before "used": a thief without the verifier cannot end anybody's tokens. */
async function whyNot(ctx: Context, asked: Asked, verifier: string, by: ClientProof): Promise<Problem> {
  await authenticateClient(ctx, by)
  const known = await store.findCode(ctx, asked.hash)
  if (!known || known.client_id !== by.client_id)
    return oauthError('invalid_grant', 'Unknown code for this client.')
  if (known.redirect_uri !== asked.redirect_uri)
    return oauthError('invalid_grant', 'redirect_uri does not match the authorization request.')
  if (!fits(verifier, known.challenge))
    return oauthError('invalid_grant', 'code_verifier does not match the code_challenge.')
  if (asked.resource !== undefined && asked.resource !== known.resource)
    return oauthError('invalid_target', 'resource does not match the authorization request.')
  if (known.used_at) {
    await store.endFamily(ctx, known)
    return oauthError('invalid_grant', 'The code was already used. Its tokens have been revoked.')
  }
  return oauthError('invalid_grant', 'The code has expired.')
}
