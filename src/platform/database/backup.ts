import type { Client } from 'pg'
import { writeArchive, type ArchivedTable, type ArchiveHeader } from './archive.ts'
import {
  listAppliedMigrations,
  listSequences,
  listTables,
  quote,
  serverVersion,
  type Table,
} from './catalogue.ts'
import { copyOut } from './copy.ts'
import { connectTo } from './hosts.ts'
import { isDistributed } from './places.ts'
import { APPLICATION_ROLE } from './pool.ts'
import { INSTALLATION_SETTING, teamSetting } from './team-setting.ts'
import { claimAlone } from './usage.ts'

/**
 * What would mean nothing on another server: the live log, whose order is that of this server's transactions, the login
 * that was made here, and the rate limits of this minute. And what the migrations themselves write.
 */
const LEFT_OUT = new Set(['changes', 'database_logins', 'personal_tables', 'rate_windows', 'table_places'])

export type Written = { tables: number; rows: number; bytes: number }

/** One file from one moment, while the product runs on: a snapshot sees what was committed when it began. */
export async function writeBackup(url: string, file: string, made_at: string): Promise<Written> {
  const client = await connectTo(url, { options: OPTIONS })
  try {
    if (await isDistributed(client)) await beginOnAllNodes(client, url)
    else await client.query(BEGIN)
    const tables = (await listTables(client)).filter(table => !LEFT_OUT.has(table.name))
    if (!tables.some(table => table.name === 'schema_migrations'))
      throw new Error('There is nothing to back up: this database has no Rapport tables yet.')
    const teams = tables.some(table => table.bound) ? await listTeams(client) : []
    const header = await describe(client, tables, teams, made_at)
    const byName = new Map(tables.map(table => [table.name, table]))
    const bytes = await writeArchive(file, header, ({ name }) => rowsOf(client, byName.get(name)!, teams))
    return { tables: tables.length, rows: header.tables.reduce((sum, table) => sum + table.rows, 0), bytes }
  } finally {
    // Also aborts a COPY that hangs because the disk is full.
    await client.end()
  }
}

const BEGIN = 'begin isolation level repeatable read read only'
const OPTIONS = '-c timezone=UTC -c statement_timeout=0 -c citus.propagate_set_commands=local'
/** Transactions wait for the lock below, and it for those that are in the middle of their commit. */
const LOCK_WAIT = '30s'

/**
 * On a cluster each node has a snapshot of its own. They are of one moment when no transaction commits on several nodes while
 * they are taken: for that long, none does.
 */
async function beginOnAllNodes(client: Client, url: string): Promise<void> {
  const guard = await connectTo(url, { options: OPTIONS })
  try {
    await guard.query(`begin; set local lock_timeout = '${LOCK_WAIT}'`)
    await guard.query('lock table pg_dist_transaction in exclusive mode').catch(async error => {
      if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error
      // Without that right there is one moment only while nothing is written.
      await guard.query('rollback; begin')
      await claimAlone(guard).catch(() => {
        throw new Error(
          'This login may not lock pg_dist_transaction, so it cannot back up a running cluster. Use a superuser, or stop Rapport.',
          { cause: error },
        )
      })
    })
    await client.query(BEGIN)
    // A second connection to a node would see another moment.
    await client.query('set local citus.max_adaptive_executor_pool_size = 1')
    const tables = await listTables(client)
    const places = await client.query<{ name: string }>(
      `select min(name) as name from table_places where place = 'sharded'`,
    )
    const sharded = tables.find(({ name }) => name === places.rows[0]!.name)!
    if (sharded.bound) await client.query(`set local role ${APPLICATION_ROLE}; ${INSTALLATION_SETTING.text}`)
    // Each node takes its snapshot with the first statement that it gets.
    await client.query(`select count(*) from ${quote(sharded.name)}`)
    await client.query('set local role none')
  } finally {
    await guard.end()
  }
}
const INSUFFICIENT_PRIVILEGE = '42501'

async function describe(
  client: Client,
  tables: Table[],
  teams: string[],
  made_at: string,
): Promise<ArchiveHeader> {
  const counted: ArchivedTable[] = []
  for (const table of tables)
    counted.push({ name: table.name, columns: table.columns, rows: await count(client, table, teams) })
  return {
    format: 'rapport-backup',
    version: 1,
    made_at,
    postgres: (await serverVersion(client)).text,
    migrations: await listAppliedMigrations(client),
    tables: counted,
    sequences: await listSequences(client),
  }
}

async function listTeams(client: Client): Promise<string[]> {
  await client.query(INSTALLATION_SETTING.text)
  return (await client.query<{ id: string }>('select id from teams order by id')).rows.map(row => row.id)
}

async function count(client: Client, table: Table, teams: string[]): Promise<number> {
  let sum = 0
  for await (const where of parts(client, table, teams)) {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::float8 as count from ${quote(table.name)} ${where}`,
    )
    sum += rows[0]!.count
  }
  return sum
}

async function* rowsOf(client: Client, table: Table, teams: string[]): AsyncGenerator<Buffer> {
  const columns = table.columns.map(quote).join(', ')
  for await (const where of parts(client, table, teams)) {
    yield* copyOut(client, `select ${columns} from ${quote(table.name)} ${where}`)
  }
}

/**
 * The whole table at once where row security lets us, as a superuser; else as the application sees it: tables for all
 * teams at once, the others one team after the other. An owner that row security binds would find its tables empty, and
 * back up nothing without a word.
 */
async function* parts(client: Client, table: Table, teams: string[]): AsyncGenerator<string> {
  if (!table.bound) return void (yield '')
  if (!table.shared && !table.columns.includes('team_id'))
    throw new Error(`${table.name} has row security but no team_id, so it cannot be backed up.`)
  await client.query(`set local role ${APPLICATION_ROLE}`)
  if (table.shared) {
    await client.query(INSTALLATION_SETTING.text)
    yield ''
  } else
    for (const team of teams) {
      await client.query(teamSetting(team).text)
      yield `where team_id = '${team}'`
    }
  await client.query('set local role none')
}
