import type { ClientBase } from 'pg'
import { APPLICATION_ROLE } from './pool.ts'

/**
 * Where tables are kept when the installation is sharded by team on Citus. The schema itself declares it (migration 0048); this
 * puts them there and says whether they are (docs/decisions/0034).
 */
export type Place = 'sharded' | 'managed' | 'local'
export type Placement = { name: string; place: Place }

/** The role that text search runs as (docs/decisions/0005). */
const SEARCH_ROLE = 'rapport_search'

/**
 * Citus runs a statement on a node as the role that sent it: each logs in there, and has there what the product says when it
 * connects, or what a function of the schema sets for itself.
 */
const ROLE_SETTINGS: Record<string, Record<string, string>> = {
  [APPLICATION_ROLE]: { timezone: 'UTC' },
  [SEARCH_ROLE]: { timezone: 'UTC', 'pg_trgm.word_similarity_threshold': '0.45' },
}

export type Cluster = {
  /** How many nodes take shards. */
  nodes: number
  isCoordinator: boolean
}

/** Undefined for a database without Citus. */
export async function findCitusCluster(client: ClientBase): Promise<Cluster | undefined> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`)
  if (rows.length === 0) return undefined
  const found = await client.query<Cluster>(
    `select (select count(*)::int from pg_dist_node where shouldhaveshards and noderole = 'primary' and isactive) as nodes,
      (select groupid = 0 from pg_dist_local_group) as "isCoordinator"`,
  )
  return found.rows[0]!
}

/** Whether the schema is sharded; before migration 0048 there is nothing to ask. */
export async function isDistributed(client: ClientBase): Promise<boolean> {
  const known = await client.query<{ known: boolean }>(
    `select to_regproc('public.is_distributed') is not null as known`,
  )
  if (!known.rows[0]!.known) return false
  const { rows } = await client.query<{ distributed: boolean }>('select is_distributed() as distributed')
  return rows[0]!.distributed
}

/** In the order in which they can be put where they belong. */
export async function listMisplaced(client: ClientBase): Promise<Placement[]> {
  const { rows } = await client.query<Placement>('select name, place from misplaced_tables()')
  return rows
}

export async function countPlaces(client: ClientBase): Promise<Record<Place, number>> {
  const { rows } = await client.query<{ place: Place; count: number }>(
    'select place, count(*)::int as count from table_places group by place',
  )
  return { sharded: 0, managed: 0, local: 0, ...Object.fromEntries(rows.map(row => [row.place, row.count])) }
}

/** Each in a transaction of its own: a run that was stopped continues where it ended. */
export async function placeTables(
  client: ClientBase,
  note: (placed: Placement & { ms: number }) => void = () => {},
): Promise<number> {
  let count = 0
  for (;;) {
    // Tables that refer to each other may have been placed together.
    const [next] = await listMisplaced(client)
    if (!next) return count
    const since = performance.now()
    await client.query('select place_table($1)', [next.name])
    note({ ...next, ms: performance.now() - since })
    count++
  }
}

/** What keeps the nodes from doing the work of the product's roles, each with the statement that changes it. */
export async function listRoleFaults(client: ClientBase): Promise<{ fault: string; remedy: string }[]> {
  const nodes = await rolesOnNodes(client)
  return Object.entries(ROLE_SETTINGS).flatMap(([role, settings]) => {
    const faults: { fault: string; remedy: string }[] = []
    const states = nodes.map(node => node[role])
    if (states.some(state => !state))
      return [{ fault: `${role} is missing on a node`, remedy: `create role ${role} login` }]
    if (states.some(state => state!.exempt))
      faults.push({
        fault: `row security does not apply to ${role}`,
        remedy: `alter role ${role} nosuperuser nobypassrls`,
      })
    if (states.some(state => !state!.login))
      faults.push({ fault: `${role} may not log in on a node`, remedy: `alter role ${role} login` })
    for (const [name, value] of Object.entries(settings)) {
      if (
        states.every(state =>
          state!.config.some(entry => entry.toLowerCase() === `${name}=${value}`.toLowerCase()),
        )
      )
        continue
      faults.push({
        fault: `${role} does not have ${name} = ${value} on a node`,
        remedy: `alter role ${role} set ${name} = '${value}'`,
      })
    }
    return faults
  })
}

/** Changes the roles on all nodes, which takes a superuser. What could not be changed is still a fault afterwards. */
export async function fixRoles(client: ClientBase): Promise<void> {
  for (const { remedy } of await listRoleFaults(client)) await client.query(remedy)
}

type RoleState = { login: boolean; exempt: boolean; config: string[] }

async function rolesOnNodes(client: ClientBase): Promise<Record<string, RoleState>[]> {
  const asked = `select coalesce(json_object_agg(rolname, json_build_object('login', rolcanlogin,
      'exempt', rolsuper or rolbypassrls, 'config', coalesce(setconfig, '{}'))), '{}')
    from pg_roles left join pg_db_role_setting on setrole = pg_roles.oid and setdatabase = 0
    where rolname in (${Object.keys(ROLE_SETTINGS)
      .map(role => `'${role}'`)
      .join()})`
  const { rows } = await client.query<{ success: boolean; result: string }>(
    'select success, result from run_command_on_all_nodes($1)',
    [asked],
  )
  const failed = rows.find(({ success }) => !success)
  if (failed) throw new Error(`A node does not answer: ${failed.result}`)
  return rows.map(({ result }) => JSON.parse(result) as Record<string, RoleState>)
}

/** Nodes without room for prepared transactions cannot commit together. */
export async function countNodesThatCannotPrepare(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from run_command_on_all_nodes('show max_prepared_transactions') where result = '0'`,
  )
  return rows[0]!.count
}
