import { hashOf, type BearerKind } from '#platform/bearer.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import type { Context } from '#platform/context.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import { newSecret } from '#platform/ids.ts'
import { Problem } from '#platform/problem.ts'
import type { Scope } from '#platform/scopes.ts'
import { keyCreated, keyRevoked, type ApiKey } from './contract.ts'
import * as store from './key-store.ts'

const KEY_PREFIX = 'rpk_'
const SHOWN_LENGTH = 12
const KEY_TOUCH_MS = 60_000
const DAY_MS = 86_400_000

type NewKey = { name: string; scopes: Scope[]; expires_in_days?: number }

export async function listKeys(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
) {
  const rows = await store.listKeys(ctx, limit + 1, cursor ? decodeInstantCursor(cursor) : undefined)
  return pageOf(rows, limit)
}

/** The key itself is in the answer and nowhere else. */
export async function createKey(
  ctx: Context,
  { name, scopes, expires_in_days }: NewKey,
): Promise<ApiKey & { key: string }> {
  const key = KEY_PREFIX + newSecret()
  const row: ApiKey = {
    id: ctx.newId(),
    name,
    prefix: key.slice(0, SHOWN_LENGTH),
    scopes,
    created_by: ctx.principal?.user_id ?? null,
    last_used_at: null,
    expires_at: expires_in_days ? ctx.in(expires_in_days * DAY_MS) : null,
    created_at: ctx.now(),
  }
  await ctx.transaction(async ctx => {
    store.insertKey(ctx, { ...row, team_id: ctx.team_id, hash: hashOf(key) })
    record(ctx, keyCreated, { kind: 'key', id: row.id }, { name, scopes })
  })
  return { ...row, key }
}

export async function revokeKey(ctx: Context, id: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const key = await store.deleteKey(ctx, id)
    if (!key) throw new Problem('not_found', 'No such key.')
    record(ctx, keyRevoked, { kind: 'key', id }, { name: key.name })
  })
}

export const apiKey: BearerKind = {
  prefix: KEY_PREFIX,
  async find(ctx, hash) {
    const row = await store.findKeyByHash(ctx, hash)
    if (!row || (row.expires_at && row.expires_at <= ctx.now())) return undefined
    if (!row.last_used_at || row.last_used_at < ctx.in(-KEY_TOUCH_MS))
      await store.touchKey(ctx, row.id, ctx.now())
    return {
      principal: {
        actor: { kind: 'key', id: row.id, name: row.name },
        team_id: row.team_id,
        user_id: null,
        role: null,
        scopes: new Set(row.scopes),
      },
      guard: now => ({ text: GUARD, values: [hash, now], quiet: true }),
    }
  },
}

const GUARD = `select refuse_caller() where not exists (
  select from api_keys where hash = $1 and (expires_at is null or expires_at > $2))`
