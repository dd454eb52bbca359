import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { Problem } from '#platform/problem.ts'
import { nextVersion } from '#platform/version.ts'
import { tryOut } from './attempt.ts'
import {
  endpointEnabled,
  secretRead,
  secretRotated,
  type TestAnswer,
  type WebhookEndpoint,
} from './contract.ts'
import { callNext } from './line.ts'
import { newWebhookSecret, openSecret, sealSecret, secretsInUse, signingKeys } from './secrets.ts'
import * as store from './store.ts'
import type { EndpointRow } from './store.ts'

const SECRET_OVERLAP_MS = 24 * 3_600_000
/** Each of them is a signature in every message. */
const SECRETS_MAX = 5

/** Nothing has gone wrong lately. */
export const healthy = { failures: 0, pauses: 0, failing_since: null, paused_until: null } as const

export async function listEndpoints(ctx: Context, query: { limit?: number; cursor?: string }) {
  const page = await store.listEndpoints(ctx, query)
  return { ...page, data: page.data.map(shown) }
}

export async function readEndpoint(ctx: Context, id: string): Promise<WebhookEndpoint> {
  return shown(known(await store.findEndpoint(ctx, id)))
}

/** Whatever went wrong is forgotten, and what waits goes out. */
export async function enableEndpoint(ctx: Context, id: string): Promise<WebhookEndpoint> {
  return ctx.transaction(async ctx => {
    const row = inUse(await store.lockEndpoint(ctx, id))
    if (row.status === 'ACTIVE' && row.failures === 0) return shown(row)
    const updated_at = nextVersion(row.updated_at, ctx.now())
    const change = { ...healthy, status: 'ACTIVE', disabled_at: null, updated_at } as const
    const after = { ...row, ...change }
    store.updateEndpoint(ctx, id, change)
    const { name, url } = row
    record(ctx, endpointEnabled, { kind: 'webhook_endpoint', id }, { name, url })
    await callNext(ctx, after)
    return shown(after)
  })
}

/** Anyone who has seen the secret can sign as us, so the audit log says who has. */
export async function readSecret(ctx: Context, id: string) {
  const row = known(await store.findEndpoint(ctx, id))
  const { name, url } = row
  await ctx.transaction(
    async ctx => void record(ctx, secretRead, { kind: 'webhook_endpoint', id }, { name, url }),
  )
  return shownSecret(ctx, row)
}

/** The new one signs first; the old ones sign too until every receiver has had a day to change over. */
export async function rotateSecret(ctx: Context, id: string) {
  return ctx.transaction(async ctx => {
    const row = inUse(await store.lockEndpoint(ctx, id))
    const before = secretsInUse(row.secrets, ctx.now())
    if (before.length === SECRETS_MAX) {
      throw new Problem('conflict', 'The secret was rotated several times today. Try again tomorrow.', {
        code: 'rotated_too_often',
      })
    }
    const old = before.map(({ sealed, until }) => ({ sealed, until: until ?? ctx.in(SECRET_OVERLAP_MS) }))
    const secrets = [sealSecret(ctx, newWebhookSecret()), ...old]
    store.updateEndpoint(ctx, id, { secrets, updated_at: nextVersion(row.updated_at, ctx.now()) })
    const { name, url } = row
    record(ctx, secretRotated, { kind: 'webhook_endpoint', id }, { name, url })
    return shownSecret(ctx, { ...row, secrets })
  })
}

export async function testEndpoint(ctx: Context, id: string): Promise<TestAnswer> {
  const { name, url, secrets } = inUse(await store.findEndpoint(ctx, id))
  const told = { event_id: ctx.newId(), type: 'webhook.test', data: { name } }
  return tryOut(ctx, signingKeys(ctx, secrets), url, told)
}

/** Secrets whose time is over sign nothing any more, and are not kept either. */
export async function dropOldSecrets(ctx: Context): Promise<number> {
  if (!(await store.haveRotated(ctx))) return 0
  return ctx.transaction(async ctx => {
    const outdated = (await store.lockRotated(ctx))
      .map(row => ({ ...row, inUse: secretsInUse(row.secrets, ctx.now()) }))
      .filter(({ secrets, inUse }) => inUse.length < secrets.length)
    for (const { id, inUse } of outdated) store.updateEndpoint(ctx, id, { secrets: inUse })
    return outdated.length
  })
}

export function shown(row: EndpointRow): WebhookEndpoint {
  const { team_id: _team, owner_kind, owner_id, part: _part, secrets: _, pauses: _pauses, ...rest } = row
  return { ...rest, owner: { kind: owner_kind, id: owner_id } }
}

/** One that is there, and that its record still uses. */
export function inUse(row: EndpointRow | undefined): EndpointRow {
  if (known(row).status !== 'REMOVED') return row!
  throw new Problem('conflict', 'The record no longer has a webhook URL.', { code: 'endpoint_removed' })
}

function known(row: EndpointRow | undefined): EndpointRow {
  if (row) return row
  throw new Problem('not_found', 'No such webhook endpoint.')
}

function shownSecret(ctx: Context, { secrets }: EndpointRow) {
  const [newest, previous] = secretsInUse(secrets, ctx.now())
  const secret = newest && openSecret(ctx, newest)
  if (secret === undefined) {
    throw new Problem('conflict', 'The signing secret can no longer be read. Create a new one.', {
      code: 'secret_lost',
    })
  }
  return { secret, previous_until: previous?.until ?? null }
}
