import { hashOf } from '#platform/bearer.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import type { Context } from '#platform/context.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import { newSecret } from '#platform/ids.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { allScopes, type Scope } from '#platform/scopes.ts'
import { nextVersion, unchangedSince } from '#platform/version.ts'
import {
  clientChanged,
  clientCreated,
  clientDeleted,
  clientSecretRotated,
  type Client,
  type NewClient,
} from './contract.ts'
import { faultOfRedirectUri } from './redirect-uri.ts'
import * as store from './store.ts'
import type { ClientSource } from './values.ts'

const SECRET_PREFIX = 'rps_'

export type ClientFields = {
  name: string
  redirect_uris: string[]
  scopes?: Scope[]
  confidential?: boolean
}

/** What the administrators of a team look after. */
export async function listClients(
  ctx: Context,
  { limit = LIST_LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
) {
  const rows = await store.listTeamClients(ctx, limit + 1, cursor ? decodeInstantCursor(cursor) : undefined)
  const { data, next_cursor } = pageOf(rows, limit)
  return { data: data.map(shown), next_cursor }
}

export async function getClient(ctx: Context, id: string): Promise<Client> {
  return shown(known(await store.findTeamClient(ctx, id)))
}

export async function createClient(ctx: Context, fields: ClientFields): Promise<NewClient> {
  refuseBadUris(fields.redirect_uris)
  const { row, client_secret } = newClient(ctx, fields, 'team')
  await ctx.transaction(async ctx => {
    store.insertClient(ctx, { ...row, team_id: ctx.team_id })
    record(ctx, clientCreated, { kind: 'app', id: row.id }, described(row))
  })
  return { ...shown(row), client_secret }
}

/** The operator's own clients belong to no team. */
export async function createOperatorClient(ctx: Context, fields: ClientFields): Promise<NewClient> {
  refuseBadUris(fields.redirect_uris)
  const { row, client_secret } = newClient(ctx, fields, 'operator')
  await ctx.transaction(async ctx => store.insertClient(ctx, row))
  return { ...shown(row), client_secret }
}

/** A client whose fields have been checked, and its secret, which is in the answer and nowhere else. */
export function newClient(
  ctx: Context,
  { name, redirect_uris, scopes = allScopes, confidential = false }: ClientFields,
  source: ClientSource,
): { row: store.ClientRow; client_secret: string | null } {
  const client_secret = confidential ? SECRET_PREFIX + newSecret() : null
  const at = ctx.now()
  return {
    client_secret,
    row: {
      id: ctx.newId(),
      team_id: null,
      source,
      name,
      redirect_uris,
      scopes,
      secret_hash: client_secret && hashOf(client_secret),
      created_by: ctx.principal?.user_id ?? null,
      fetched_at: null,
      created_at: at,
      updated_at: at,
    },
  }
}

type Changes = { name?: string; redirect_uris?: string[]; scopes?: Scope[] }

export async function changeClient(
  ctx: Context,
  id: string,
  changes: Changes,
  ifMatch: string | undefined,
): Promise<Client> {
  if (changes.redirect_uris) refuseBadUris(changes.redirect_uris)
  return ctx.transaction(async ctx => {
    const before = unchangedSince(known(await store.lockTeamClient(ctx, id)), ifMatch)
    const after = { ...before, ...changes, updated_at: nextVersion(before.updated_at, ctx.now()) }
    store.updateClient(ctx, id, { ...changes, updated_at: after.updated_at })
    if (changes.scopes) store.shrinkGrants(ctx, id, changes.scopes)
    const data = { before: described(before), after: described(after) }
    record(ctx, clientChanged, { kind: 'app', id }, data)
    return shown(after)
  })
}

export async function deleteClient(ctx: Context, id: string, ifMatch: string | undefined): Promise<void> {
  await ctx.transaction(async ctx => {
    const client = unchangedSince(known(await store.lockTeamClient(ctx, id)), ifMatch)
    store.deleteClient(ctx, id)
    record(ctx, clientDeleted, { kind: 'app', id }, described(client))
  })
}

export async function rotateSecret(ctx: Context, id: string): Promise<NewClient> {
  return ctx.transaction(async ctx => {
    const client = known(await store.lockTeamClient(ctx, id))
    if (client.secret_hash === null)
      throw new Problem('conflict', 'A public app has no secret.', { code: 'public_client' })
    const client_secret = SECRET_PREFIX + newSecret()
    const updated_at = nextVersion(client.updated_at, ctx.now())
    store.updateClient(ctx, id, { secret_hash: hashOf(client_secret), updated_at })
    record(ctx, clientSecretRotated, { kind: 'app', id }, { name: client.name })
    return { ...shown({ ...client, updated_at }), client_secret }
  })
}

function known(client: store.ClientRow | undefined): store.ClientRow {
  if (!client) throw new Problem('not_found', 'No such app.')
  return client
}

function refuseBadUris(uris: readonly string[]): void {
  const faults = uris.flatMap((uri, at) => {
    const message = faultOfRedirectUri(uri)
    return message === undefined ? [] : [{ path: `redirect_uris[${at}]`, message }]
  })
  if (faults.length > 0) throw invalid(faults)
}

function shown(row: store.ClientRow): Client {
  const { id, name, redirect_uris, scopes, source, created_by, created_at, updated_at } = row
  const confidential = row.secret_hash !== null
  return { id, name, redirect_uris, scopes, confidential, source, created_by, created_at, updated_at }
}

function described({ name, redirect_uris, scopes, secret_hash }: store.ClientRow) {
  return { name, redirect_uris, scopes, confidential: secret_hash !== null }
}
