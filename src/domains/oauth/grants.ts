import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import type { Context } from '#platform/context.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import { Problem } from '#platform/problem.ts'
import { atLeast, type Role, type Scope } from '#platform/scopes.ts'
import { nextVersion } from '#platform/version.ts'
import { getUsers } from '#domains/identity/people.ts'
import { appConnected, appDisconnected, type Grant } from './contract.ts'
import * as store from './store.ts'
import type { grantOwners } from './values.ts'

type Query = { limit?: number; cursor?: string; of?: (typeof grantOwners)[number] }

/** One's own connected apps in this team; its administrators may look at everybody's. */
export async function listGrants(ctx: Context, { limit = LIST_LIMIT_DEFAULT, cursor, of = 'me' }: Query) {
  const { user_id } = ctx.requirePerson()
  if (of === 'team' && !isAdmin(ctx))
    throw new Problem('forbidden', 'This requires the role ADMIN.', { code: 'role_too_low' })
  const after = cursor ? decodeInstantCursor(cursor) : undefined
  const rows = await store.listTeamGrants(ctx, of === 'me' ? user_id : undefined, limit + 1, after)
  const { data, next_cursor } = pageOf(rows, limit)
  const people = await getUsers(
    ctx,
    data.map(row => row.user_id),
  )
  return { data: data.map(row => shown(row, people.get(row.user_id)!)), next_cursor }
}

export async function revokeGrant(ctx: Context, id: string): Promise<void> {
  const { user_id } = ctx.requirePerson()
  await ctx.transaction(async ctx => {
    const grant = await store.findTeamGrant(ctx, id)
    if (!grant || (grant.user_id !== user_id && !isAdmin(ctx)))
      throw new Problem('not_found', 'No such connected app.')
    store.deleteGrant(ctx, id)
    const { client_id, client_name, scopes } = grant
    const reason = grant.user_id === user_id ? 'by the person' : 'by an admin'
    const data = { client_id, name: client_name, scopes, reason }
    record(ctx, appDisconnected, { kind: 'grant', id }, data)
  })
}

/**
 * What a person allows now: what it allowed before and was not asked about stays, what it was asked about and left
 * unticked goes. The context is of the team and inside the transaction that makes the code.
 */
export async function allow(
  ctx: Context,
  client: store.ClientRow,
  { user_id, role }: { user_id: string; role: Role },
  { asked, chosen }: { asked: Scope[]; chosen: Scope[] },
): Promise<store.GrantRow> {
  const known = await store.findGrant(ctx, client.id, user_id, ctx.team_id)
  const kept = known?.scopes.filter(scope => !asked.includes(scope)) ?? []
  const at = ctx.now()
  const grant = await store.putGrant(ctx, {
    id: known?.id ?? ctx.newId(),
    client_id: client.id,
    user_id,
    team_id: ctx.team_id,
    role,
    scopes: [...kept, ...chosen],
    last_used_at: null,
    created_at: at,
    // Later than before even within one millisecond: tokens that are out are remembered by it.
    updated_at: known ? nextVersion(known.updated_at, at) : at,
  })
  const data = { client_id: client.id, name: client.name, scopes: grant.scopes }
  record(ctx, appConnected, { kind: 'grant', id: grant.id }, data)
  return grant
}

function isAdmin(ctx: Context): boolean {
  const role = ctx.principal?.role
  return Boolean(role && atLeast(role, 'ADMIN'))
}

type Row = NonNullable<Awaited<ReturnType<typeof store.findTeamGrant>>>

function shown(row: Row, { id, name, email }: Grant['user']): Grant {
  const { scopes, last_used_at, created_at, updated_at } = row
  const client = { id: row.client_id, name: row.client_name, source: row.client_source }
  return { id: row.id, client, user: { id, name, email }, scopes, last_used_at, created_at, updated_at }
}
