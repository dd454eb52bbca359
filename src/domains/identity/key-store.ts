import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'
import type { Role, Scope } from '#platform/scopes.ts'

export type KeyRow = {
  id: string
  team_id: string
  hash: string
  prefix: string
  name: string
  scopes: Scope[]
  /** Whose it is: a member's, or that of a service that is called so. */
  user_id: string | null
  service: string | null
  created_by: string | null
  last_used_at: string | null
  expires_at: string | null
  created_at: string
}

export type ListedKey = KeyRow & { owner_name: string | null }

type Membership = { team_id: string; user_id: string; role: Role }
const db = tables<{ api_keys: KeyRow; memberships: Membership; users: { id: string; name: string } }>()

/** With the role of the member whose it is. */
export async function findKeyByHash(
  ctx: Context,
  hash: string,
): Promise<(KeyRow & { role: Role | null }) | undefined> {
  return ctx.first(
    db
      .selectFrom('api_keys as k')
      .leftJoin('memberships as m', join =>
        join.onRef('m.team_id', '=', 'k.team_id').onRef('m.user_id', '=', 'k.user_id'),
      )
      .selectAll('k')
      .select('m.role')
      .where('hash', '=', hash),
  )
}

export async function listKeys(
  ctx: Context,
  limit: number,
  after: [string, string] | undefined,
): Promise<ListedKey[]> {
  let query = keysOf(ctx).orderBy('k.created_at').orderBy('k.id').limit(limit)
  if (after) query = query.where(sql<boolean>`(k.created_at, k.id) > (${after[0]}::timestamptz, ${after[1]})`)
  return ctx.all(query)
}

export async function findKey(ctx: Context, id: string): Promise<ListedKey | undefined> {
  return ctx.first(keysOf(ctx).where('k.id', '=', id))
}

function keysOf(ctx: Context) {
  return db
    .selectFrom('api_keys as k')
    .leftJoin('users as u', 'u.id', 'k.user_id')
    .selectAll('k')
    .select('u.name as owner_name')
    .where('k.team_id', '=', ctx.team_id)
}

export function insertKey(ctx: Context, key: KeyRow): void {
  ctx.later(db.insertInto('api_keys').values(key))
}

export async function deleteKey(ctx: Context, id: string): Promise<KeyRow | undefined> {
  return ctx.first(
    db.deleteFrom('api_keys').where('team_id', '=', ctx.team_id).where('id', '=', id).returningAll(),
  )
}

export async function deleteKeysOf(ctx: Context, user_id: string): Promise<KeyRow[]> {
  return ctx.all(
    db
      .deleteFrom('api_keys')
      .where('team_id', '=', ctx.team_id)
      .where('user_id', '=', user_id)
      .returningAll(),
  )
}

export async function touchKey(ctx: Context, id: string, last_used_at: string): Promise<void> {
  await ctx.run(db.updateTable('api_keys').set({ last_used_at }).where('id', '=', id))
}
