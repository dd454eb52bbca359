import type { ClientBase } from 'pg'
import type { Context } from '../context.ts'
import { hold } from '../hold.ts'
import { readArchive, type ArchiveHeader } from './archive.ts'
import { listTables, quote } from './catalogue.ts'
import { copyIn } from './copy.ts'
import type { Migration } from './migrate.ts'
import { rebuildSchema, unfasten } from './schema.ts'
import { INSTALLATION_SETTING } from './team-setting.ts'
import { claimAlone } from './usage.ts'

export type RestoreOptions = { file: string; known: readonly Migration[]; force: boolean }

/**
 * All or nothing: the old content goes and the backup's comes in one transaction, and with it the hold on everything
 * outgoing, so that there is no moment in which a restored copy could send. The context is the owner's.
 */
export async function restoreBackup(
  ctx: Context,
  { file, known, force }: RestoreOptions,
): Promise<ArchiveHeader> {
  // Read to the end once before anything is touched.
  await readArchive(file, header => void migrationsOf(header, known))
  return ctx.transaction(async ctx => {
    const client = await ctx.transactionOrThrow().connection()
    await claimAlone(client)
    await refuseContent(client, force)
    let fasten: (() => Promise<void>) | undefined
    const header = await readArchive(
      file,
      async header => {
        await rebuildSchema(client, migrationsOf(header, known))
        fasten = await unfasten(client)
      },
      async (table, rows) => {
        const columns = table.columns.map(quote).join(', ')
        const loaded = await copyIn(client, `${quote(table.name)} (${columns})`, rows)
        if (loaded !== table.rows)
          throw new Error(`${table.name}: only ${loaded} of ${table.rows} rows were loaded.`)
      },
    )
    for (const { name, value } of header.sequences)
      await client.query('select setval($1, $2)', [quote(name), value])
    await client.query(`set local maintenance_work_mem = '128MB'`)
    await fasten?.()
    await hold(ctx)
    return header
  })
}

/** Exactly the migrations that the backup was made with; what this program has beyond them follows after the load. */
function migrationsOf(header: ArchiveHeader, known: readonly Migration[]): Migration[] {
  return header.migrations.map(({ name, checksum }) => {
    const migration = known.find(candidate => candidate.name === name)
    if (!migration)
      throw new Error(`The backup is newer than this version of Rapport: it has ${name}. Update Rapport.`)
    if (migration.checksum !== checksum)
      throw new Error(`The backup was made with a different version of ${name}: its tables differ.`)
    return migration
  })
}

/** What a database has from its first start on. */
const NOT_CONTENT = new Set([
  'schema_migrations',
  'database_logins',
  'personal_tables',
  'rate_windows',
  'table_places',
])

async function refuseContent(client: ClientBase, force: boolean): Promise<void> {
  const tables = (await listTables(client)).map(table => table.name)
  if (tables.length === 0) return
  if (!tables.includes('schema_migrations')) {
    throw new Error(
      `This database belongs to another application: it has the tables ${tables.slice(0, 5).join(', ')}.`,
    )
  }
  if (force) return
  // An owner that row security binds sees what is for all teams: people, teams, work.
  await client.query(INSTALLATION_SETTING.text)
  for (const table of tables) {
    if (NOT_CONTENT.has(table)) continue
    const { rowCount } = await client.query(`select from ${quote(table)} limit 1`)
    if (rowCount === 0) continue
    throw new Error(
      `The database is not empty: ${table} has rows. Use --force to replace them with the backup.`,
    )
  }
}
