import type { Context } from '#platform/context.ts'
import { hashOf } from '#platform/bearer.ts'
import type { Problem } from '#platform/problem.ts'
import { isScope, type Scope } from '#platform/scopes.ts'
import { seal, unseal } from '#platform/seal.ts'
import { authenticateClient, type ClientProof } from './client-auth.ts'
import type { TokenAnswer } from './contract.ts'
import { oauthError } from './errors.ts'
import { answerOf, makePair } from './pair.ts'
import { required } from './parameters.ts'
import { scopesIn } from './request.ts'
import * as store from './token-store.ts'

/** An answer may be lost on the way, or two threads of an app refresh at once: for so long the same pair is told again. */
export const RETRY_MS = 30_000
const PURPOSE = 'oauth successor'

/** grant_type=refresh_token: rotates. Of any number of parallel tries one makes the next pair, and all are told that one. */
export async function refresh(
  ctx: Context,
  fields: Record<string, string>,
  by: ClientProof,
): Promise<TokenAnswer> {
  const token = required(fields, 'refresh_token')
  const pair = makePair(ctx)
  const { access_token, refresh_token } = pair
  const asked = {
    hash: hashOf(token),
    scopes: fields.scope === undefined ? undefined : askedScopes(fields.scope),
    audience: fields.resource,
    successor: seal(ctx.runtime.settings, PURPOSE, JSON.stringify({ access_token, refresh_token })),
  }
  const redeemed = await store.rotate(ctx, asked, by, pair.stored)
  return redeemed ? answerOf(pair, redeemed) : retryOrRefuse(ctx, asked, by)
}

function askedScopes(text: string): Scope[] {
  const names = scopesIn(text)
  const unknown = names.find(name => !isScope(name))
  if (unknown !== undefined || names.length === 0)
    throw oauthError('invalid_scope', 'scope is empty or contains an unknown scope.')
  return names as Scope[]
}

type Asked = Parameters<typeof store.rotate>[1]

async function retryOrRefuse(ctx: Context, asked: Asked, by: ClientProof): Promise<TokenAnswer> {
  await authenticateClient(ctx, by)
  const known = await store.findRefreshToken(ctx, asked.hash)
  if (!known || known.client_id !== by.client_id)
    throw oauthError('invalid_grant', 'Unknown refresh token for this client.')
  if (known.refresh_expires_at <= ctx.now())
    throw oauthError('invalid_grant', 'The refresh token has expired.')
  if (asked.scopes?.some(scope => !known.scopes.includes(scope)))
    throw oauthError('invalid_scope', 'scope asks for more than was granted.')
  if (asked.audience !== undefined && asked.audience !== known.audience)
    throw oauthError('invalid_target', 'resource does not match the authorization request.')
  if (!known.rotated_at) throw oauthError('invalid_grant', 'The refresh token is no longer valid.')
  const again = known.rotated_at > ctx.in(-RETRY_MS) && (await sameAgain(ctx, known))
  if (again) return again
  throw await reused(ctx, known)
}

type Known = NonNullable<Awaited<ReturnType<typeof store.findRefreshToken>>>

/** The pair that took the token's place, as long as the access token of it lives. */
async function sameAgain(ctx: Context, known: Known): Promise<TokenAnswer | undefined> {
  const text = known.successor && unseal(ctx.runtime.settings, PURPOSE, known.successor)
  if (!text) return undefined
  const pair = JSON.parse(text) as { access_token: string; refresh_token: string }
  const access = await store.findAccessToken(ctx, hashOf(pair.access_token))
  if (!access) return undefined
  const leftMs = Date.parse(access.access_expires_at) - Date.parse(ctx.now())
  return answerOf(pair, { user_id: known.user_id, scopes: access.access_scopes }, Math.floor(leftMs / 1000))
}

/** Somebody has a copy: nobody can tell who, so the whole line ends. */
async function reused(ctx: Context, known: Known): Promise<Problem> {
  await store.endFamily(ctx, known)
  return oauthError('invalid_grant', 'The refresh token was already used. Its tokens have been revoked.')
}
