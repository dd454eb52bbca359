import type { Client } from 'pg'
import { findCluster } from '#adapters/postgres/cluster.ts'
import type { Config } from '#config'
import { listAppliedMigrations, listTables, serverVersion } from '#platform/database/catalogue.ts'
import { connectTo } from '#platform/database/hosts.ts'
import { checkLogin, describeLogin } from '#platform/database/login.ts'
import { readMigrations } from '#platform/database/migrate.ts'
import {
  countPlaces,
  findCitusCluster,
  isDistributed,
  listMisplaced,
  listRoleFaults,
} from '#platform/database/places.ts'
import { APPLICATION_ROLE } from '#platform/database/pool.ts'
import { MIGRATIONS_FOLDER, openDatabase } from '../database.ts'
import { bad, good, note, type Finding } from './finding.ts'
import { checkWork } from './work.ts'

const VERSION_MIN = 150_000
const EXTENSIONS = ['pg_trgm', 'btree_gin']

export async function* checkDatabase(config: Config): AsyncGenerator<Finding> {
  if (!config.databaseUrl && !(await findCluster(config.dataDir))) {
    return yield note('database', 'none yet: rapport start creates it')
  }
  let database
  try {
    database = await openDatabase(config)
  } catch (error) {
    return yield bad('database', `the embedded server did not start: ${(error as Error).message}`)
  }
  let client: Client | undefined
  try {
    client = await connectTo(database.url)
    yield* checkServer(client)
    const schema = await checkMigrations(client)
    yield schema
    if (schema.mark === '✓') {
      yield* checkPlaces(client)
      yield await checkOwnLogin(config, client)
      yield* checkWork(config, database.url, client)
    }
  } catch (error) {
    yield bad(
      'database',
      `${reasonOf(error)}: check ${database.embedded ? 'DATA_DIR' : 'DATABASE_URL'} and that the server is running`,
    )
  } finally {
    await client?.end().catch(() => {})
    await database.close()
  }
}

/** Two addresses of one host that both refuse make an error without a message. */
function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || String(error)
}

async function* checkServer(client: Client): AsyncGenerator<Finding> {
  const version = await serverVersion(client)
  yield version.number >= VERSION_MIN
    ? good('database', `PostgreSQL ${version.text}`)
    : bad('database', `PostgreSQL ${version.text} is too old: 15 or later is required`)
  yield await checkExtensions(client)
  yield await checkRole(client)
}

async function checkExtensions(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string }>(
    'select name from pg_available_extensions where name = any($1)',
    [EXTENSIONS],
  )
  const missing = EXTENSIONS.filter(name => !rows.some(row => row.name === name))
  if (missing.length === 0) return good('extensions', EXTENSIONS.join(', '))
  return bad('extensions', `${missing.join(', ')} missing: install the server's contrib package`)
}

/** Row security binds a role that is neither superuser nor exempt, and only if the login can become it. */
async function checkRole(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ exempt: boolean }>(
    'select rolsuper or rolbypassrls as exempt from pg_roles where rolname = $1',
    [APPLICATION_ROLE],
  )
  if (!rows[0]) return note('role', `${APPLICATION_ROLE} does not exist yet: rapport migrate creates it`)
  if (rows[0].exempt)
    return bad(
      'role',
      `row security does not apply to it: alter role ${APPLICATION_ROLE} nosuperuser nobypassrls`,
    )
  try {
    await client.query(`begin; set local role ${APPLICATION_ROLE}; rollback`)
    return good('role', `${APPLICATION_ROLE}, subject to row security`)
  } catch (error) {
    await client.query('rollback')
    return bad('role', `${(error as Error).message}: grant ${APPLICATION_ROLE} to the login in DATABASE_URL`)
  }
}

/** What the product logs in with must not be the owner: that one can leave row security behind. */
async function checkOwnLogin({ databaseLoginUrl }: Config, client: Client): Promise<Finding> {
  if (databaseLoginUrl) {
    return checkLogin({ url: databaseLoginUrl }).then(
      () => good('login', 'DATABASE_LOGIN_URL, which owns nothing'),
      error => bad('login', `DATABASE_LOGIN_URL cannot be used: ${reasonOf(error)}`),
    )
  }
  const { name, made, fault } = await describeLogin(client)
  if (fault) return bad('login', `${fault}: set DATABASE_LOGIN_URL, see docs/deploy.md`)
  return made ? good('login', `${name}, which owns nothing`) : note('login', `rapport start creates ${name}`)
}

const NAMES_MAX = 5

/** Statements about several tables fail while some of them are sharded and others are not. */
async function* checkPlaces(client: Client): AsyncGenerator<Finding> {
  const cluster = await findCitusCluster(client)
  if (!cluster) return
  if (!(await isDistributed(client))) {
    if (cluster.nodes > 0) yield note('shards', 'none yet: stop Rapport and run rapport distribute')
    return
  }
  const misplaced = await listMisplaced(client)
  const names = misplaced.slice(0, NAMES_MAX).map(({ name }) => name)
  const more = misplaced.length > names.length ? ', …' : ''
  const { sharded } = await countPlaces(client)
  if (misplaced.length > 0)
    yield bad(
      'shards',
      `${misplaced.length} of the tables are not distributed (${names.join(', ')}${more}): stop Rapport and run rapport distribute`,
    )
  else yield good('shards', `${sharded} tables on ${cluster.nodes} nodes`)
  for (const { fault, remedy } of await listRoleFaults(client)) yield bad('shards', `${fault}: ${remedy}`)
}

async function checkMigrations(client: Client): Promise<Finding> {
  const known = await readMigrations(MIGRATIONS_FOLDER)
  const tables = await listTables(client)
  if (!tables.some(table => table.name === 'schema_migrations'))
    return note('schema', 'empty: run rapport migrate')
  const applied = await listAppliedMigrations(client)
  const newer = applied.filter(({ name }) => !known.some(migration => migration.name === name))
  if (newer.length > 0)
    return bad(
      'schema',
      `newer than this version of Rapport (${newer.map(({ name }) => name).join(', ')}): update Rapport`,
    )
  const changed = applied.filter(({ name, checksum }) =>
    known.some(migration => migration.name === name && migration.checksum !== checksum),
  )
  if (changed.length > 0)
    return bad('schema', `${changed[0]!.name} was changed after it ran: restore the original file`)
  const pending = known.length - applied.length
  return pending > 0
    ? bad('schema', `${pending} migrations pending: run rapport migrate`)
    : good('schema', `${applied.length} migrations`)
}
