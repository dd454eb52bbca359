import type { BearerKind } from '#platform/bearer.ts'
import type { Context } from '#platform/context.ts'
import { scopesOfRole, type Role, type Scope } from '#platform/scopes.ts'
import { findMember } from '#domains/identity/members.ts'
import { ACCESS_PREFIX } from './pair.ts'
import { findClient, touchGrant } from './store.ts'
import { findAccessToken } from './token-store.ts'

const GRANT_TOUCH_MS = 60_000

/** An app's access token: it acts in the person's name, and never for more than the person may do at that moment. */
export const accessToken: BearerKind = {
  prefix: ACCESS_PREFIX,
  async find(ctx, hash) {
    const token = await findAccessToken(ctx, hash)
    if (!token || token.access_expires_at <= ctx.now()) return undefined
    const [known, client] = await Promise.all([
      effectiveScopes(ctx, token, token.access_scopes),
      findClient(ctx, token.client_id),
    ])
    if (!known || !client) return undefined
    if (!token.grant_used_at || token.grant_used_at < ctx.in(-GRANT_TOUCH_MS))
      await touchGrant(ctx, token.grant_id)
    return {
      principal: {
        actor: { kind: 'app', id: client.id, name: `${client.name} for ${known.name}` },
        team_id: token.team_id,
        user_id: token.user_id,
        role: null,
        scopes: new Set(known.scopes),
        ...(token.audience !== null && { audience: token.audience }),
      },
      guard: now => ({ text: GUARD, values: [hash, now, known.role, token.granted_at], quiet: true }),
    }
  },
}

type Issued = { team_id: string; user_id: string; granted: Scope[] }

/** What the token, the grant and the person's role all allow; undefined for one who left the team. */
export async function effectiveScopes(ctx: Context, { team_id, user_id, granted }: Issued, scopes: Scope[]) {
  const member = await findMember(ctx, team_id, user_id)
  if (!member) return undefined
  const allowed = new Set<Scope>(scopesOfRole(member.role as Role))
  return { ...member, scopes: scopes.filter(scope => granted.includes(scope) && allowed.has(scope)) }
}

const GUARD = `select refuse_caller() where not exists (
  select from oauth_tokens join oauth_grants on oauth_grants.id = grant_id
  where access_hash = $1 and access_expires_at > $2 and role = $3 and updated_at = $4)`
