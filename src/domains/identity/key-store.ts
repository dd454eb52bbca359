import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'
import type { Scope } from '#platform/scopes.ts'

export type KeyRow = {
  id: string
  team_id: string
  hash: string
  prefix: string
  name: string
  scopes: Scope[]
  created_by: string | null
  last_used_at: string | null
  expires_at: string | null
  created_at: string
}

const db = tables<{ api_keys: KeyRow }>()

const keyColumns = [
  'id',
  'name',
  'prefix',
  'scopes',
  'created_by',
  'last_used_at',
  'expires_at',
  'created_at',
] as const

export async function findKeyByHash(ctx: Context, hash: string): Promise<KeyRow | undefined> {
  return ctx.first(db.selectFrom('api_keys').selectAll().where('hash', '=', hash))
}

export async function listKeys(ctx: Context, limit: number, after: [string, string] | undefined) {
  let query = db
    .selectFrom('api_keys')
    .select(keyColumns)
    .where('team_id', '=', ctx.team_id)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
  if (after) query = query.where(sql<boolean>`(created_at, id) > (${after[0]}::timestamptz, ${after[1]})`)
  return ctx.all(query)
}

export function insertKey(ctx: Context, key: KeyRow): void {
  ctx.later(db.insertInto('api_keys').values(key))
}

export async function deleteKey(ctx: Context, id: string): Promise<KeyRow | undefined> {
  return ctx.first(
    db.deleteFrom('api_keys').where('team_id', '=', ctx.team_id).where('id', '=', id).returningAll(),
  )
}

export async function touchKey(ctx: Context, id: string, last_used_at: string): Promise<void> {
  await ctx.run(db.updateTable('api_keys').set({ last_used_at }).where('id', '=', id))
}
