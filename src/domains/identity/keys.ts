import { hash } from 'node:crypto'
import type { Context, Principal } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { newSecret } from '#platform/ids.ts'
import { Problem } from '#platform/problem.ts'
import type { Scope } from '#platform/scopes.ts'
import { keyCreated, keyRevoked, type ApiKey } from './contract.ts'
import * as store from './store.ts'

export const KEY_PREFIX = 'rpk_'
const SHOWN_LENGTH = 12
const KEY_TOUCH_MS = 60_000
const DAY_MS = 86_400_000

type NewKey = { name: string; scopes: Scope[]; expires_in_days?: number }

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
    store.insertKey(ctx, { ...row, team_id: ctx.team_id, hash: hashOfKey(key) })
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

/** Who a key stands for at this moment; undefined when it is unknown, revoked or has run out. */
export async function findKeyPrincipal(ctx: Context, key_hash: string): Promise<Principal | undefined> {
  const row = await store.findKeyByHash(ctx, key_hash)
  if (!row || (row.expires_at && row.expires_at <= ctx.now())) return undefined
  if (!row.last_used_at || row.last_used_at < ctx.in(-KEY_TOUCH_MS))
    await store.touchKey(ctx, row.id, ctx.now())
  return {
    actor: { kind: 'key', id: row.id, name: row.name },
    team_id: row.team_id,
    user_id: null,
    role: null,
    scopes: new Set(row.scopes),
  }
}

export function hashOfKey(key: string): string {
  return hash('sha256', key)
}
