import { createHash } from 'node:crypto'
import pg from 'pg'
import { newId, newSecret } from '#platform/ids.ts'

export const REDIRECT_URI = 'https://app.example.test/callback'
export const VERIFIER = 'a-verifier-of-the-benchmark-that-is-long-enough-0123456789'
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
export const PEOPLE = 200

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A client, people who allowed it, and a token of one of them. */
export async function fillGrants(url: string, team_id: string) {
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  const client_id = newId()
  const access_token = `rpa_${newSecret()}`
  const users = Array.from({ length: PEOPLE }, () => newId())
  const grants = users.map(() => newId())
  await db.query(
    `insert into oauth_clients (id, source, name, redirect_uris, scopes, created_at, updated_at)
     values ($1, 'operator', 'Bench', $2, '{leads:read}', now(), now())`,
    [client_id, [REDIRECT_URI]],
  )
  await db.query(
    `insert into users (id, email, name, created_at, updated_at)
     select id, id || '@bench.example', 'Bench', now(), now() from unnest($1::text[]) as id`,
    [users],
  )
  await db.query(
    `insert into memberships (team_id, user_id, role, created_at)
     select $1, id, 'MEMBER', now() from unnest($2::text[]) as id`,
    [team_id, users],
  )
  await db.query(
    `insert into oauth_grants (id, client_id, user_id, team_id, role, scopes, created_at, updated_at)
     select g, $1, u, $2, 'MEMBER', '{leads:read}', now(), now() from unnest($3::text[], $4::text[]) as pair (g, u)`,
    [client_id, team_id, grants, users],
  )
  await db.query(
    `insert into oauth_tokens (access_hash, refresh_hash, grant_id, client_id, family_id, scopes, access_scopes,
       created_at, access_expires_at, refresh_expires_at)
     values ($1, $2, $3, $4, $5, '{leads:read}', '{leads:read}', now(), now() + interval '1 day', now() + interval '1 day')`,
    [sha256(access_token), newId(), grants[0], client_id, newId()],
  )
  return {
    client_id,
    access_token,
    /** So many codes that can be redeemed now. */
    async codes(count: number): Promise<string[]> {
      const made = Array.from({ length: count }, () => `rpc_${newSecret()}`)
      await db.query(
        `insert into oauth_codes (hash, grant_id, client_id, redirect_uri, scopes, challenge, expires_at, family_id)
         select h, g, $6, $1, '{leads:read}', $2, now() + interval '1 hour', f
         from unnest($3::text[], $4::text[], $5::text[]) as code (h, g, f)`,
        [
          REDIRECT_URI,
          CHALLENGE,
          made.map(sha256),
          made.map((_, at) => grants[at % PEOPLE]),
          made.map(() => newId()),
          client_id,
        ],
      )
      return made
    },
    close: () => db.end(),
  }
}
