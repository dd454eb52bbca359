import { resolve } from 'node:path'
import { Client } from 'pg'
import { readConfig, type Config } from '#config'
import { systemContext } from '#platform/context.ts'
import { migrate, readMigrations } from '#platform/database/migrate.ts'
import { findCitusCluster, isDistributed } from '#platform/database/places.ts'
import { openPool } from '#platform/database/pool.ts'
import { restoreBackup } from '#platform/database/restore.ts'
import { openBase } from '../process.ts'
import { secretsNote } from './backup.ts'
import { UsageError, type Values } from './command.ts'
import { MIGRATIONS_FOLDER, openDatabase } from './database.ts'
import { openPorts } from './ports.ts'

export async function run(values: Values, [file, ...more]: string[]): Promise<void> {
  if (!file || more.length > 0) throw new UsageError('Pass exactly one backup file.')
  const config = { ...readConfig(), logLevel: 'error' }
  const database = await openDatabase(config)
  try {
    const header = await restoreInto(config, database.url, {
      file: resolve(file),
      force: Boolean(values.force),
    })
    await migrate(database.url, MIGRATIONS_FOLDER)
    const onCoordinator = await isOnCoordinator(database.url)
    const rows = header.tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(
      `Restored ${rows.toLocaleString('en')} rows of ${header.tables.length} tables, as they were on ${header.made_at}.`,
    )
    if (onCoordinator)
      console.log('All tables are on the coordinator now: run `rapport distribute` before you start Rapport.')
    console.log('Outgoing work is on hold: nothing is sent until you run `rapport release`.\n')
    console.log(secretsNote(config))
  } finally {
    await database.close()
  }
}

/** A restored schema is a new one, which is not sharded yet. */
async function isOnCoordinator(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const cluster = await findCitusCluster(client)
    return cluster !== undefined && cluster.nodes > 0 && !(await isDistributed(client))
  } finally {
    await client.end()
  }
}

async function restoreInto(config: Config, url: string, options: { file: string; force: boolean }) {
  const known = await readMigrations(MIGRATIONS_FOLDER)
  const base = openBase({ config, databaseUrl: url, ports: openPorts(config) })
  const owner = openPool({ url, size: 1, role: 'owner', onError: () => {} })
  try {
    const ctx = systemContext({ ...base.runtime, pool: owner })
    const header = await restoreBackup(ctx, { ...options, known })
    // Without statistics the first queries would go the long way.
    await owner.flush([{ text: 'analyze', values: [] }])
    return header
  } finally {
    await owner.close()
    await base.close()
  }
}
