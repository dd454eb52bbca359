import type { Context } from '#platform/context.ts'
import { hashOf } from '#platform/bearer.ts'
import { newSecret } from '#platform/ids.ts'
import type { Scope } from '#platform/scopes.ts'
import type { TokenAnswer } from './contract.ts'
import type { NewPair } from './token-store.ts'

export const ACCESS_PREFIX = 'rpa_'
export const REFRESH_PREFIX = 'rpr_'
export const ACCESS_LIFE_S = 3_600
/** From its last rotation: an app that is used at least once in this time never asks again. */
export const REFRESH_LIFE_MS = 90 * 86_400_000

export type Pair = { access_token: string; refresh_token: string; stored: NewPair }

/** Two opaque tokens of 256 random bits each; the database only ever sees their hashes. */
export function makePair(ctx: Context): Pair {
  const [access_token, refresh_token] = [ACCESS_PREFIX + newSecret(), REFRESH_PREFIX + newSecret()]
  return {
    access_token,
    refresh_token,
    stored: {
      access_hash: hashOf(access_token),
      refresh_hash: hashOf(refresh_token),
      access_expires_at: ctx.in(ACCESS_LIFE_S * 1000),
      refresh_expires_at: ctx.in(REFRESH_LIFE_MS),
    },
  }
}

export function answerOf(
  { access_token, refresh_token }: Pick<Pair, 'access_token' | 'refresh_token'>,
  { user_id, scopes }: { user_id: string; scopes: Scope[] },
  expires_in = ACCESS_LIFE_S,
): TokenAnswer {
  return {
    access_token,
    refresh_token,
    token_type: 'Bearer',
    expires_in,
    scope: scopes.join(' '),
    user_id,
  }
}
