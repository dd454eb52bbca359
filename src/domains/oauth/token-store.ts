import type { Context } from '#platform/context.ts'
import { tables, written } from '#platform/database/tables.ts'
import { together } from '#platform/database/together.ts'
import type { Scope } from '#platform/scopes.ts'

export type CodeRow = {
  hash: string
  grant_id: string
  client_id: string
  redirect_uri: string
  scopes: Scope[]
  challenge: string
  resource: string | null
  expires_at: string
  used_at: string | null
  family_id: string
}
/** A pair: the refresh token may have been exchanged, the access token may have been given back. */
type PairRow = {
  refresh_hash: string
  access_hash: string | null
  grant_id: string
  client_id: string
  family_id: string
  scopes: Scope[]
  access_scopes: Scope[]
  audience: string | null
  created_at: string
  access_expires_at: string
  refresh_expires_at: string
  rotated_at: string | null
  successor: string | null
}

const db = tables<{
  oauth_codes: CodeRow
  oauth_tokens: PairRow
  oauth_grants: {
    id: string
    user_id: string
    team_id: string
    scopes: Scope[]
    updated_at: string
    last_used_at: string | null
  }
}>()

/** The redeeming client, with the hash of its secret if it has one. */
export type Redeemer = { client_id: string; secret_hash: string | null }

/** The pair that comes into being, by the hashes of its two tokens. */
export type NewPair = {
  access_hash: string
  refresh_hash: string
  access_expires_at: string
  refresh_expires_at: string
}

/** What a redemption was for. */
export type Redeemed = { user_id: string; scopes: Scope[] }

export function insertCode(ctx: Context, code: CodeRow): void {
  ctx.acrossTeams().later(db.insertInto('oauth_codes').values(code))
}

/**
 * The whole exchange is one statement: it finds the code if everything about the request is right, marks it
 * used and writes both tokens. Of any number of parallel attempts one finds it unused; without a row,
 * `findCode` tells why.
 */
export async function redeemCode(
  ctx: Context,
  code: { hash: string; redirect_uri: string; challenge: string; resource: string | undefined },
  by: Redeemer,
  pair: NewPair,
): Promise<Redeemed | undefined> {
  const { hash, redirect_uri, challenge, resource = null } = code
  const values = [...common(ctx, hash, by, pair), redirect_uri, challenge, resource]
  return (await together(ctx, hash, written<Redeemed>(REDEEM_CODE, values)))[0]
}

/** The same for a refresh token: the access token may be for less, the next refresh token is for the same. */
export async function rotate(
  ctx: Context,
  refresh: { hash: string; scopes: Scope[] | undefined; audience: string | undefined; successor: string },
  by: Redeemer,
  pair: NewPair,
): Promise<Redeemed | undefined> {
  const { hash, scopes = null, audience = null, successor } = refresh
  const values = [...common(ctx, hash, by, pair), successor, scopes, audience]
  return (await together(ctx, hash, written<Redeemed>(ROTATE, values)))[0]
}

/** The first eight parameters of both statements. */
function common(ctx: Context, hash: string, by: Redeemer, pair: NewPair): unknown[] {
  const { access_hash, refresh_hash, access_expires_at, refresh_expires_at } = pair
  const tokens = [access_hash, access_expires_at, refresh_hash, refresh_expires_at]
  return [hash, ctx.now(), by.client_id, by.secret_hash, ...tokens]
}

/** The new pair, for what `redeemed` says; the access token may be for less than the refresh token. */
const NEW_PAIR = `pair as (
    insert into oauth_tokens (access_hash, access_expires_at, refresh_hash, refresh_expires_at, grant_id,
      client_id, family_id, scopes, access_scopes, audience, created_at)
    select $5, $6, $7, $8, grant_id, $3, family_id, scopes, asked, audience, $2 from redeemed
  )
  select (select user_id from oauth_grants where id = grant_id), asked as scopes from redeemed`

const BY_CLIENT = `client_id = $3
      and exists (select from oauth_clients where id = client_id and secret_hash is not distinct from $4)`

const REDEEM_CODE = `with redeemed as (
    update oauth_codes set used_at = $2
    where hash = $1 and used_at is null and expires_at > $2 and ${BY_CLIENT}
      and redirect_uri = $9 and challenge = $10 and ($11::text is null or resource = $11)
    returning grant_id, family_id, scopes, scopes as asked, resource as audience
  ), ${NEW_PAIR}`

const ROTATE = `with redeemed as (
    update oauth_tokens set rotated_at = $2, successor = $9
    where refresh_hash = $1 and rotated_at is null and refresh_expires_at > $2 and ${BY_CLIENT}
      and ($10::text[] is null or scopes @> $10) and ($11::text is null or audience = $11)
    returning grant_id, family_id, scopes, coalesce($10, scopes) as asked, audience
  ), ${NEW_PAIR}`

export async function findCode(ctx: Context, hash: string): Promise<CodeRow | undefined> {
  return ctx.first(db.selectFrom('oauth_codes').selectAll().where('hash', '=', hash))
}

export async function findRefreshToken(ctx: Context, hash: string) {
  return ctx.first(pairs().where('refresh_hash', '=', hash))
}

export async function findAccessToken(ctx: Context, hash: string) {
  return ctx.first(pairs().where('access_hash', '=', hash))
}

function pairs() {
  return db
    .selectFrom('oauth_tokens')
    .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_tokens.grant_id')
    .selectAll('oauth_tokens')
    .select(['oauth_grants.user_id', 'oauth_grants.team_id', 'oauth_grants.scopes as granted'])
    .select(['oauth_grants.updated_at as granted_at', 'oauth_grants.last_used_at as grant_used_at'])
}

/** The access token alone; its refresh token lives on. */
export async function endAccessToken(ctx: Context, hash: string): Promise<void> {
  await ctx.run(db.updateTable('oauth_tokens').set({ access_hash: null }).where('access_hash', '=', hash))
}

/** Everything that came of one code: all access tokens, and every refresh token down the line. */
export async function endFamily(
  ctx: Context,
  { grant_id, family_id }: { grant_id: string; family_id: string },
): Promise<void> {
  await ctx.run(
    db.deleteFrom('oauth_tokens').where('grant_id', '=', grant_id).where('family_id', '=', family_id),
  )
}

/**
 * A used code is kept for a while, so that a late replay is still noticed; a successor only for its moment.
 */
export async function deleteExpired(
  ctx: Context,
  { codesBefore, successorsBefore }: { codesBefore: string; successorsBefore: string },
): Promise<number> {
  const codes = await ctx.run(db.deleteFrom('oauth_codes').where('expires_at', '<', codesBefore))
  const pairs = await ctx.run(db.deleteFrom('oauth_tokens').where('refresh_expires_at', '<', ctx.now()))
  await ctx.run(
    db
      .updateTable('oauth_tokens')
      .set({ successor: null })
      .where('successor', 'is not', null)
      .where('rotated_at', '<', successorsBefore),
  )
  return codes + pairs
}
