import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '#adapters/postgres/embedded.ts'
import { openLogin } from '#platform/database/login.ts'
import { migrate } from '#platform/database/migrate.ts'
import { fixRoles, placeTables } from '#platform/database/places.ts'
import { startCitus, type CitusCluster } from '../../scripts/citus.mjs'
import { endAllWithRun } from '../run/leavings.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server with the migrated database `template`, which each test file clones. */
    postgresUrl: string
    /** The same server as the product logs in: one login for the databases of all tests. */
    postgresLoginUrl: string
    /** The workers of a sharded server, each with its part of every database. */
    postgresWorkers: string[]
  }
}

/**
 * One real PostgreSQL for the whole run: the embedded one, or TEST_DATABASE_URL to try another version. With TEST_CITUS=on it
 * is a cluster of three nodes, and every test's tables are sharded.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  endAllWithRun()
  if (process.env.TEST_CITUS === 'on') return setUpCluster(project)
  project.provide('postgresWorkers', [])
  const outside = process.env.TEST_DATABASE_URL
  const dataDir = await mkdtemp(join(tmpdir(), 'rapport-test-'))
  // A test's data need not survive a power failure; shaken tests wait for the disk all the same.
  const waits = process.env.TEST_SHAKE === 'all' ? 'on' : 'off'
  // Nobody else reaches its socket, and to check a password costs more than most questions of a test.
  const hba_file = join(dataDir, 'trust.conf')
  await writeFile(hba_file, 'local all all trust\n')
  // Run by root, the server has an account of its own.
  await chmod(dataDir, 0o755)
  const settings = {
    hba_file,
    fsync: waits,
    full_page_writes: 'off',
    synchronous_commit: waits,
    // Each new database costs a checkpoint, and after one the log gets whole pages: compressing them is wasted work.
    wal_compression: 'off',
    // These databases live for seconds. Shaken tests have it.
    autovacuum: waits,
    max_connections: '300',
  }
  const server = outside ? undefined : await startEmbeddedPostgres({ dataDir, log: () => {}, settings })
  const url = outside ?? server!.url
  await makeTemplate(url)
  project.provide('postgresUrl', url)
  project.provide('postgresLoginUrl', (await openLogin(databaseUrl(url, 'template_rapport'))).url)
  return async () => {
    await server?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A table has a file for each of its shards on every node: tests need few. */
const SHARDS = 4

async function setUpCluster(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCitus({
    settings: {
      synchronous_commit: 'off',
      'citus.shard_count': SHARDS,
    },
  })
  const url = await cluster.createDatabase('template_rapport')
  await migrate(url, new URL('../../migrations/', import.meta.url).pathname)
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await fixRoles(owner)
  await placeTables(owner)
  await owner.end()
  const login = await openLogin(url)
  await closeToAll(cluster, 'template_rapport')
  project.provide('postgresUrl', cluster.coordinator.url('postgres'))
  project.provide('postgresLoginUrl', login.url)
  project.provide(
    'postgresWorkers',
    cluster.nodes.slice(1).map(node => node.url('postgres')),
  )
  return () => cluster.stop()
}

/** A database that is copied has no connections, and Citus keeps some of its own. */
async function closeToAll(cluster: CitusCluster, name: string): Promise<void> {
  for (const node of cluster.nodes)
    await node.run('postgres', `alter database ${name} allow_connections false`)
  for (const node of cluster.nodes)
    await node.run(
      'postgres',
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    )
}

async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('drop database if exists template_rapport with (force)')
  await client.query('create database template_rapport')
  await client.end()
  await migrate(databaseUrl(url, 'template_rapport'), new URL('../../migrations/', import.meta.url).pathname)
}

export function databaseUrl(url: string, name: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${name}`)
}
