import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { tables } from '#platform/database/tables.ts'
import type { Role, Scope } from '#platform/scopes.ts'
import { laterVersion } from '#platform/version.ts'
import type { ClientSource } from './values.ts'

export type ClientRow = {
  id: string
  team_id: string | null
  source: ClientSource
  name: string
  redirect_uris: string[]
  scopes: Scope[]
  secret_hash: string | null
  created_by: string | null
  fetched_at: string | null
  created_at: string
  updated_at: string
}
export type GrantRow = {
  id: string
  client_id: string
  user_id: string
  team_id: string
  role: Role
  scopes: Scope[]
  last_used_at: string | null
  created_at: string
  updated_at: string
}

const db = tables<{ oauth_clients: ClientRow; oauth_grants: GrantRow }>()

export async function findClient(ctx: Context, id: string): Promise<ClientRow | undefined> {
  return ctx.acrossTeams().first(db.selectFrom('oauth_clients').selectAll().where('id', '=', id))
}

export async function findTeamClient(ctx: Context, id: string): Promise<ClientRow | undefined> {
  return ctx.first(
    db.selectFrom('oauth_clients').selectAll().where('team_id', '=', ctx.team_id).where('id', '=', id),
  )
}

/** For a change: two at once come one after the other. */
export async function lockTeamClient(ctx: Context, id: string): Promise<ClientRow | undefined> {
  return ctx.first(
    db
      .selectFrom('oauth_clients')
      .selectAll()
      .where('team_id', '=', ctx.team_id)
      .where('id', '=', id)
      .forUpdate(),
  )
}

export async function listTeamClients(ctx: Context, limit: number, after: [string, string] | undefined) {
  let query = db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('team_id', '=', ctx.team_id)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
  if (after) query = query.where(sql<boolean>`(created_at, id) > (${after[0]}::timestamptz, ${after[1]})`)
  return ctx.all(query)
}

export function insertClient(ctx: Context, client: ClientRow): void {
  ctx.later(db.insertInto('oauth_clients').values(client))
}

/** A client that describes itself is known under its address; reading it again replaces what was known. */
export async function putDocumentClient(ctx: Context, client: ClientRow): Promise<void> {
  const { name, redirect_uris, scopes, fetched_at, updated_at } = client
  await ctx.acrossTeams().run(
    db
      .insertInto('oauth_clients')
      .values(client)
      .onConflict(conflict =>
        conflict.column('id').doUpdateSet({ name, redirect_uris, scopes, fetched_at, updated_at }),
      ),
  )
}

export function updateClient(ctx: Context, id: string, changes: Partial<ClientRow>): void {
  ctx.later(db.updateTable('oauth_clients').set(changes).where('id', '=', id))
}

export function deleteClient(ctx: Context, id: string): void {
  ctx.later(db.deleteFrom('oauth_clients').where('id', '=', id))
}

/** Self-registered clients that no one ever authorized. */
export async function deleteUnusedClients(ctx: Context, before: string): Promise<number> {
  return ctx.run(
    db
      .deleteFrom('oauth_clients')
      .where('source', 'in', ['registration', 'document'])
      .where('updated_at', '<', before)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('oauth_grants')
              .select('oauth_grants.id')
              .whereRef('oauth_grants.client_id', '=', 'oauth_clients.id'),
          ),
        ),
      ),
  )
}

export async function findGrant(ctx: Context, client_id: string, user_id: string, team_id: string) {
  return ctx
    .acrossTeams()
    .first(
      db
        .selectFrom('oauth_grants')
        .selectAll()
        .where('client_id', '=', client_id)
        .where('user_id', '=', user_id)
        .where('team_id', '=', team_id),
    )
}

/** Two tabs may say yes at once: there is still one grant. */
export async function putGrant(ctx: Context, grant: GrantRow): Promise<GrantRow> {
  const { scopes, updated_at } = grant
  const put = db
    .insertInto('oauth_grants')
    .values(grant)
    .onConflict(conflict =>
      conflict.columns(['client_id', 'user_id', 'team_id']).doUpdateSet({ scopes, updated_at }),
    )
    .returningAll()
  return (await ctx.acrossTeams().first(put))!
}

export async function findTeamGrant(ctx: Context, id: string) {
  return ctx.acrossTeams().first(listedGrants(ctx).where('oauth_grants.id', '=', id))
}

export async function listTeamGrants(
  ctx: Context,
  user_id: string | undefined,
  limit: number,
  after: [string, string] | undefined,
) {
  let query = listedGrants(ctx).orderBy('oauth_grants.created_at').orderBy('oauth_grants.id').limit(limit)
  if (user_id !== undefined) query = query.where('oauth_grants.user_id', '=', user_id)
  if (after) {
    query = query.where(
      sql<boolean>`(oauth_grants.created_at, oauth_grants.id) > (${after[0]}::timestamptz, ${after[1]})`,
    )
  }
  return ctx.acrossTeams().all(query)
}

function listedGrants(ctx: Context) {
  return db
    .selectFrom('oauth_grants')
    .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_grants.client_id')
    .selectAll('oauth_grants')
    .select(['oauth_clients.name as client_name', 'oauth_clients.source as client_source'])
    .where('oauth_grants.team_id', '=', ctx.team_id)
}

export function deleteGrant(ctx: Context, id: string): void {
  ctx.later(db.deleteFrom('oauth_grants').where('id', '=', id))
}

/** A client that may ask for less keeps no more: grants shrink with it, and one that is left empty ends. */
export function shrinkGrants(ctx: Context, client_id: string, scopes: Scope[]): void {
  const kept = sql<Scope[]>`array(select unnest(scopes) intersect select unnest(${scopes}::text[]))`
  ctx.acrossTeams().later(
    db
      .updateTable('oauth_grants')
      .set({
        scopes: kept,
        updated_at: laterVersion(ctx.now()),
      })
      .where('client_id', '=', client_id),
  )
  ctx.acrossTeams().later(
    db
      .deleteFrom('oauth_grants')
      .where('client_id', '=', client_id)
      .where(sql<boolean>`cardinality(scopes) = 0`),
  )
}

export async function touchGrant(ctx: Context, id: string): Promise<void> {
  await ctx.run(db.updateTable('oauth_grants').set({ last_used_at: ctx.now() }).where('id', '=', id))
}
