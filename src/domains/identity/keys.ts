import { createHash } from 'node:crypto'
import { hashOf, type BearerKind } from '#platform/bearer.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import type { Context, Runtime } from '#platform/context.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import { newSecret } from '#platform/ids.ts'
import { Problem } from '#platform/problem.ts'
import { scopesOfRole, type Scope } from '#platform/scopes.ts'
import { keyCreated, keyRefused, keyRevoked, type ApiKey } from './key-contract.ts'
import * as store from './key-store.ts'
import { KEY_LIFE_DAYS } from './values.ts'

const KEY_PREFIX = 'rpk_'
const SHOWN_LENGTH = 12
const KEY_TOUCH_MS = 60_000
const DAY_MS = 86_400_000
const ID_LENGTH = 24
const REFUSALS_TOLD_EVERY_MS = 3_600_000

type NewKey = {
  name: string
  scopes: Scope[]
  /** Whose it is where it is no person's. */
  service?: string | null
  expires_in_days?: number | null
}

export async function listKeys(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
) {
  const rows = await store.listKeys(ctx, limit + 1, cursor ? decodeInstantCursor(cursor) : undefined)
  return pageOf(
    rows.map(row => shown(ctx, row)),
    limit,
  )
}

export async function getKey(ctx: Context, id: string): Promise<ApiKey> {
  const row = await store.findKey(ctx, id)
  if (!row) throw new Problem('not_found', 'No such key.')
  return shown(ctx, row)
}

/** The key itself is in the answer and nowhere else. Who makes it by the command line owns it as well. */
export async function createKey(
  ctx: Context,
  { name, scopes, service = null, expires_in_days = KEY_LIFE_DAYS }: NewKey,
): Promise<ApiKey & { key: string }> {
  const key = KEY_PREFIX + newSecret()
  const maker = ctx.actor.kind === 'person' ? ctx.actor : null
  const row: store.KeyRow = {
    id: ctx.newId(),
    team_id: ctx.team_id,
    hash: hashOf(key),
    name,
    prefix: key.slice(0, SHOWN_LENGTH),
    scopes,
    user_id: service === null ? (maker?.id ?? null) : null,
    service: service ?? (maker ? null : name),
    created_by: maker?.id ?? null,
    last_used_at: null,
    expires_at: expires_in_days === null ? null : ctx.in(expires_in_days * DAY_MS),
    created_at: ctx.now(),
  }
  await ctx.transaction(async ctx => {
    store.insertKey(ctx, row)
    record(ctx, keyCreated, { kind: 'key', id: row.id }, { name, scopes })
  })
  return { ...shown(ctx, { ...row, owner_name: maker?.name ?? null }), key }
}

function shown(ctx: Context, row: store.ListedKey): ApiKey {
  const { id, name, prefix, scopes, user_id, service, owner_name } = row
  const { created_by, last_used_at, expires_at, created_at } = row
  const owner =
    user_id === null
      ? { kind: 'service' as const, id: serviceId(ctx.team_id, service!), name: service! }
      : { kind: 'person' as const, id: user_id, name: owner_name ?? '' }
  return { id, name, prefix, scopes, owner, created_by, last_used_at, expires_at, created_at }
}

/** A service is known by its name alone: its keys have one owner. */
function serviceId(team_id: string, name: string): string {
  return createHash('sha256').update(`${team_id} ${name}`).digest('hex').slice(0, ID_LENGTH)
}

/** With their membership. */
export async function revokeKeysOf(ctx: Context, user_id: string): Promise<void> {
  for (const { id, name } of await store.deleteKeysOf(ctx, user_id))
    record(ctx, keyRevoked, { kind: 'key', id }, { name })
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
    if (!row) return undefined
    if (row.expires_at && row.expires_at <= ctx.now())
      return void (await noteRefused(ctx, row, 'This key has expired.'))
    const { role } = row
    if (!row.last_used_at || row.last_used_at < ctx.in(-KEY_TOUCH_MS))
      await store.touchKey(ctx, row.id, ctx.now())
    return {
      principal: {
        actor: { kind: 'key', id: row.id, name: row.name },
        team_id: row.team_id,
        user_id: null,
        role: null,
        // Nobody's key can do more than they can.
        scopes: role ? new Set(scopesOfRole(role)).intersection(new Set(row.scopes)) : new Set(row.scopes),
      },
      guard: now => ({ text: GUARD, values: [hash, role, now], quiet: true }),
    }
  },
}

/** Recorded once an hour per key: a program may keep trying. */
async function noteRefused(ctx: Context, { id, name, team_id }: store.KeyRow, reason: string): Promise<void> {
  const known = refusals.get(ctx.runtime) ?? new Map<string, number>()
  refusals.set(ctx.runtime, known)
  const now = ctx.runtime.clock.now()
  if ((known.get(id) ?? -Infinity) > now - REFUSALS_TOLD_EVERY_MS) return
  known.set(id, now)
  const by = ctx.forTeam(team_id).as({ kind: 'key', id, name })
  await by.transaction(async ctx => void record(ctx, keyRefused, { kind: 'key', id }, { name, reason }))
}
const refusals = new WeakMap<Runtime, Map<string, number>>()

const GUARD = `select refuse_caller() where not exists (
  select from api_keys left join memberships using (team_id, user_id)
  where hash = $1 and role is not distinct from $2 and (expires_at is null or expires_at > $3))`
