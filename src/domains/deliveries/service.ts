import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { signingKey } from '#platform/signature.ts'
import { nextVersion } from '#platform/version.ts'
import { bodyOf, tryOut, type Told } from './attempt.ts'
import { endpointChanged, type TestAnswer, type WebhookEndpoint } from './contract.ts'
import { healthy, shown } from './endpoints.ts'
import { reasons, notifyFailed } from './failure.ts'
import { addTries, callNext, newTry } from './line.ts'
import { newWebhookSecret, sealSecret, signingKeys } from './secrets.ts'
import * as store from './store.ts'
import type { EndpointRow } from './store.ts'
import type { ownerKinds } from './values.ts'

const URL_LENGTH_MAX = 2_000

/** The record that an address belongs to; `part` tells several of one record apart. */
export type Owner = { kind: (typeof ownerKinds)[number]; id: string; part?: string }

export type { Told }

/** Refuses what is no https address, with the code `https_required`. */
export function checkWebhookUrl(url: string | null | undefined, path = 'webhook_url'): void {
  if (url === null || url === undefined) return
  const parsed = /^https:\/\/[^\s]+$/i.test(url) && URL.canParse(url) ? new URL(url) : undefined
  if (!parsed) {
    const message = 'must be an https URL'
    throw new Problem('invalid', `${path}: ${message}`, {
      code: 'https_required',
      errors: [{ path, message }],
    })
  }
  if (parsed.username || parsed.password)
    throw invalid([{ path, message: 'must not contain a user name or password' }])
  if (url.length > URL_LENGTH_MAX)
    throw invalid([{ path, message: `can have at most ${URL_LENGTH_MAX} characters` }])
}

/** In the transaction of the record's change: where it is told from now on. Null: nowhere any more. */
export async function connectEndpoint(
  ctx: Context,
  owner: Owner,
  to: { name: string; url: string } | null,
): Promise<void> {
  if (to) checkWebhookUrl(to.url)
  const known = await store.findEndpointOf(ctx, owner)
  const row = known && (await store.lockEndpoint(ctx, known.id))
  if (!row) return to ? addEndpoint(ctx, owner, to) : undefined
  if (!to) return row.status === 'REMOVED' ? undefined : removeEndpoint(ctx, row)
  if (row.status !== 'REMOVED' && row.name === to.name && row.url === to.url) return
  // A new address has done nothing wrong yet.
  const isNew = row.status === 'REMOVED' || row.url !== to.url
  const fresh = { ...healthy, status: 'ACTIVE', disabled_at: null } as const
  const after = changeEndpoint(ctx, row, { ...to, ...(isNew && fresh) })
  if (isNew) await callNext(ctx, after)
}

/** The record is gone: none of its addresses is told anything any more. */
export async function disconnectAll(ctx: Context, { kind, id }: Omit<Owner, 'part'>): Promise<void> {
  for (const { id: endpoint_id } of await store.findAllOf(ctx, kind, id)) {
    const row = await store.lockEndpoint(ctx, endpoint_id)
    if (row && row.status !== 'REMOVED') await removeEndpoint(ctx, row)
  }
}

/** Undefined where it is told nothing any more. */
export async function findEndpointOf(ctx: Context, owner: Owner): Promise<WebhookEndpoint | undefined> {
  const row = await store.findEndpointOf(ctx, owner)
  return row && row.status !== 'REMOVED' ? shown(row) : undefined
}

/** The ids of the addresses that these records have, by the ids of the records. */
export async function findEndpointIds(
  ctx: Context,
  kind: Owner['kind'],
  owners: readonly string[],
): Promise<Map<string, string>> {
  if (owners.length === 0) return new Map()
  const rows = await store.findEndpointsOf(ctx, kind, owners)
  return new Map(rows.filter(({ status }) => status !== 'REMOVED').map(row => [row.owner_id, row.id]))
}

/** The ids of the addresses that one record has, by their parts. */
export async function findEndpointParts(
  ctx: Context,
  { kind, id }: Omit<Owner, 'part'>,
): Promise<Map<string, string>> {
  const rows = await store.findAllOf(ctx, kind, id)
  return new Map(rows.filter(({ status }) => status !== 'REMOVED').map(row => [row.part, row.id]))
}

/** In the transaction of what happened: it will be told, once per event. Undefined where there is nobody to tell. */
export async function deliver(ctx: Context, owner: Owner, told: Told): Promise<string | undefined> {
  ctx.transactionOrThrow()
  const endpoint = await store.findEndpointOf(ctx, owner)
  if (!endpoint || endpoint.status === 'REMOVED') return undefined
  const id = ctx.newId()
  const isUsed = endpoint.status === 'ACTIVE'
  const at = ctx.now()
  const { event_id, type } = told
  const first = newTry(ctx, { id, endpoint_id: endpoint.id })
  const added = await store.addDelivery(ctx, {
    id,
    endpoint_id: endpoint.id,
    event_id,
    type,
    body: bodyOf(told, at),
    status: isUsed ? 'PENDING' : 'FAILED',
    attempts: 0,
    tries: 0,
    next_at: isUsed ? at : null,
    job_id: isUsed ? first.id : null,
    in_hand: false,
    last_status: null,
    last_error: isUsed ? null : reasons.disabled,
    created_at: at,
    delivered_at: null,
  })
  if (!added) return (await store.findDeliveryOf(ctx, endpoint.id, event_id))?.id
  if (isUsed) addTries(ctx, [first])
  // It is not lost: it can be sent once the address is back.
  else notifyFailed(ctx, endpoint, id, reasons.disabled)
  return id
}

/** Sends it now, outside any transaction, signed like everything for this owner; nothing of it is kept. */
export async function sendTest(ctx: Context, owner: Owner, url: string, told: Told): Promise<TestAnswer> {
  checkWebhookUrl(url)
  const endpoint = await store.findEndpointOf(ctx, owner)
  const keys = endpoint ? signingKeys(ctx, endpoint.secrets) : [signingKey(newWebhookSecret())]
  return tryOut(ctx, keys, url, told)
}

/** Asks now, outside any transaction, for somebody who waits for the answer; nothing of it is kept. */
export async function ask(ctx: Context, owner: Owner, told: Told): Promise<TestAnswer | undefined> {
  const endpoint = await store.findEndpointOf(ctx, owner)
  if (!endpoint || endpoint.status === 'REMOVED') return undefined
  return tryOut(ctx, signingKeys(ctx, endpoint.secrets), endpoint.url, told)
}

async function addEndpoint(
  ctx: Context,
  owner: Owner,
  { name, url }: { name: string; url: string },
): Promise<void> {
  const [id, at] = [ctx.newId(), ctx.now()]
  const isNew = await store.insertEndpoint(ctx, {
    id,
    owner_kind: owner.kind,
    owner_id: owner.id,
    part: owner.part ?? '',
    name,
    url,
    status: 'ACTIVE',
    secrets: [sealSecret(ctx, newWebhookSecret())],
    ...healthy,
    last_success_at: null,
    last_failure_at: null,
    disabled_at: null,
    created_at: at,
    updated_at: at,
  })
  // Of two who need it at the same moment one adds it, and tells so.
  if (isNew) mailChanged(ctx, id, null, { name, url, status: 'ACTIVE' })
}

async function removeEndpoint(ctx: Context, row: EndpointRow): Promise<void> {
  changeEndpoint(ctx, row, { ...healthy, status: 'REMOVED', disabled_at: null })
  await store.failPending(ctx, row.id, reasons.removed)
}

function changeEndpoint(ctx: Context, row: EndpointRow, fields: Partial<EndpointRow>): EndpointRow {
  const change = { ...fields, updated_at: nextVersion(row.updated_at, ctx.now()) }
  store.updateEndpoint(ctx, row.id, change)
  const after = { ...row, ...change }
  const settings = ({ name, url, status }: EndpointRow) => ({ name, url, status })
  mailChanged(ctx, row.id, settings(row), settings(after))
  return after
}

type Setting = Pick<EndpointRow, 'name' | 'url' | 'status'>

function mailChanged(ctx: Context, id: string, before: Setting | null, after: Setting): void {
  record(ctx, endpointChanged, { kind: 'webhook_endpoint', id }, { before, after })
}
