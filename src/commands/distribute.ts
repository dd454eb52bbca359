import { Client } from 'pg'
import { readConfig } from '#config'
import { listAppliedMigrations } from '#platform/database/catalogue.ts'
import { readMigrations } from '#platform/database/migrate.ts'
import {
  countNodesThatCannotPrepare,
  countPlaces,
  findCitusCluster,
  fixRoles,
  listMisplaced,
  listRoleFaults,
  placeTables,
} from '#platform/database/places.ts'
import { claimAlone } from '#platform/database/usage.ts'
import type { Values } from './command.ts'
import { MIGRATIONS_FOLDER } from './database.ts'

export async function run(values: Values): Promise<number> {
  const { databaseUrl } = readConfig()
  if (!databaseUrl)
    throw new Error('Set DATABASE_URL to the coordinator of a Citus cluster. See docs/citus.md.')
  const client = await connect(databaseUrl)
  try {
    await refuseUnready(client)
    return values.check ? await check(client) : await distribute(client, databaseUrl)
  } finally {
    await client.end()
  }
}

async function check(client: Client): Promise<number> {
  const faults = await listRoleFaults(client)
  const misplaced = await listMisplaced(client)
  for (const { fault, remedy } of faults) console.log(`${fault}: ${remedy}`)
  for (const { name, place } of misplaced) console.log(`${name} is not ${place} yet.`)
  if (faults.length + misplaced.length > 0) return 1
  console.log(await summary(client))
  return 0
}

async function distribute(client: Client, url: string): Promise<number> {
  // While tables are moved, statements about several of them fail.
  const guard = await connect(url)
  try {
    await guard.query('begin')
    await claimAlone(guard)
    await fixRoles(client).catch(async error => {
      const remedies = (await listRoleFaults(client)).map(({ remedy }) => `  ${remedy};`)
      throw new Error(
        `The roles could not be changed: ${(error as Error).message}. Run this on the coordinator as a superuser:\n${remedies.join('\n')}`,
        { cause: error },
      )
    })
    const since = performance.now()
    const placed = await placeTables(client, ({ name, place, ms }) =>
      console.log(`${name}: ${place}, ${seconds(ms)}`),
    )
    if (placed > 0) await client.query('analyze')
    console.log(`${await summary(client)}${placed > 0 ? ` Took ${seconds(performance.now() - since)}.` : ''}`)
    return 0
  } finally {
    await guard.end()
  }
}

async function refuseUnready(client: Client): Promise<void> {
  const cluster = await findCitusCluster(client)
  if (!cluster)
    throw new Error(
      'This database has no Citus. Install it on every node and run `create extension citus`: see docs/citus.md.',
    )
  if (!cluster.isCoordinator) throw new Error('This node is a worker. Set DATABASE_URL to the coordinator.')
  if (cluster.nodes === 0)
    throw new Error('The coordinator has no workers yet. Add them with citus_add_node(): see docs/citus.md.')
  const unprepared = await countNodesThatCannotPrepare(client)
  if (unprepared > 0)
    throw new Error(
      `max_prepared_transactions is 0 on ${unprepared} ${unprepared === 1 ? 'node' : 'nodes'}. Set it to at least max_connections.`,
    )
  const known = await readMigrations(MIGRATIONS_FOLDER)
  const applied = await listAppliedMigrations(client).catch(() => [])
  if (applied.length < known.length)
    throw new Error('The schema is not up to date. Run `rapport migrate` first.')
}

async function summary(client: Client): Promise<string> {
  const { sharded, managed } = await countPlaces(client)
  const { nodes } = (await findCitusCluster(client))!
  return `${sharded} tables are sharded over ${nodes} ${nodes === 1 ? 'node' : 'nodes'}, ${managed} are managed on the coordinator.`
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    options: '-c client_min_messages=warning -c statement_timeout=0',
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
