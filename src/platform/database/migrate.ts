import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { connectTo } from './hosts.ts'
import { statementsOf } from './statements.ts'

/** Any number that other programs on the same server are unlikely to use. */
const MIGRATION_LOCK = 7_266_788

export type Migration = { name: string; sql: string; checksum: string }

/**
 * Brings the schema forward, each file in a transaction of its own. Processes that start at once wait for one
 * another; a file that was changed after it ran stops the start, because the schema is not what the code believes.
 */
export async function migrate(url: string, folder: string): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = await connectTo(url, { options: '-c client_min_messages=warning' })
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    const applied = await appliedChecksums(client)
    refuseChanged(migrations, applied)
    const pending = migrations.filter(migration => !applied.has(migration.name))
    for (const migration of pending) await apply(client, migration)
    return pending.map(migration => migration.name)
  } finally {
    await client.end()
  }
}

export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async name => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, sql: text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function appliedChecksums(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  )
  return new Map(rows.map(row => [row.name, row.checksum]))
}

function refuseChanged(migrations: Migration[], applied: Map<string, string>): void {
  for (const { name, checksum } of migrations) {
    const before = applied.get(name)
    if (before && before !== checksum)
      throw new Error(`Migration ${name} was changed after it ran. Add a new migration instead.`)
  }
  const known = new Set(migrations.map(migration => migration.name))
  const newer = [...applied.keys()].filter(name => !known.has(name))
  if (newer.length > 0)
    throw new Error(
      `The database is newer than this version of Rapport: it has ${newer.join(', ')}. Update Rapport.`,
    )
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    for (const statement of statementsOf(sql)) await client.query(statement)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}
