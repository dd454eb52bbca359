import { mkdir } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readConfig, type Config } from '#config'
import { systemContext } from '#platform/context.ts'
import { writeBackup } from '#platform/database/backup.ts'
import { migrate, readMigrations } from '#platform/database/migrate.ts'
import { openPool } from '#platform/database/pool.ts'
import { restoreBackup } from '#platform/database/restore.ts'
import { isHeld, release as letGo } from '#platform/hold.ts'
import { openBase } from '../process.ts'
import { openPorts } from './ports.ts'
import { UsageError, type Command } from './command.ts'
import { MIGRATIONS_FOLDER, openDatabase, withContext } from './database.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'Write everything in the database into one file',
  details: 'Safe while Rapport runs. The secrets are not in the file: keep them apart from it.',
  options: {
    file: { type: 'string', describe: 'the file to write; unset: backups/ in DATA_DIR, named by the time' },
  },
  async run(values) {
    const config = readConfig()
    const now = new Date().toISOString()
    const file = resolve(
      values.file ??
        join(config.dataDir, 'backups', `rapport-${now.slice(0, 19).replaceAll(':', '')}Z.backup.gz`),
    )
    if (existsSync(file)) throw new Error(`${file} exists already. Name another file.`)
    await mkdir(dirname(file), { recursive: true })
    const database = await openDatabase(config)
    try {
      const { rows, tables, bytes } = await writeBackup(database.url, file, now)
      console.log(
        `Wrote ${count(rows)} rows of ${tables} tables (${count(Math.ceil(bytes / 1024))} KiB) to ${file}\n\n${secretsNote(config)}`,
      )
    } finally {
      await database.close()
    }
  },
}

export const restore: Command = {
  name: 'restore',
  summary: 'Load a backup into an empty database',
  details: 'Rapport must be stopped. All or nothing; afterwards nothing is sent until `rapport release`.',
  positional: 'file',
  options: { force: { type: 'boolean', describe: 'replace what is in the database' } },
  async run(values, [file, ...more]) {
    if (!file || more.length > 0) throw new UsageError('Name one backup file.')
    const config = { ...readConfig(), logLevel: 'error' }
    const database = await openDatabase(config)
    try {
      const header = await restoreInto(config, database.url, {
        file: resolve(file),
        force: Boolean(values.force),
      })
      await migrate(database.url, MIGRATIONS_FOLDER)
      const rows = header.tables.reduce((sum, table) => sum + table.rows, 0)
      console.log(
        `Restored ${count(rows)} rows of ${header.tables.length} tables, as they were on ${header.made_at}.`,
      )
      console.log('Everything outgoing is on hold: nothing is sent until you say `rapport release`.\n')
      console.log(secretsNote(config))
    } finally {
      await database.close()
    }
  },
}

export const release: Command = {
  name: 'release',
  summary: 'Let outgoing work go again after a restore',
  details: 'What has fallen due meanwhile is sent at once: look through it before.',
  options: {},
  async run() {
    const said = await withContext(async ctx => {
      if (!(await isHeld(ctx))) return 'Nothing is on hold.'
      const jobs = await letGo(ctx)
      return `Outgoing work goes again: ${jobs === 1 ? '1 job was' : `${count(jobs)} jobs were`} waiting.`
    })
    console.log(said)
  },
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

/** Backups get copied to many places: what opens the doors is kept apart from them. */
function secretsNote({ production, dataDir }: Config): string {
  const place = production
    ? 'the secrets of the environment'
    : `${join(dataDir, 'secrets.json')}, or the secrets you set`
  return `Secrets are not in a backup. Both need the same: ${place}. With others, everybody signs in anew.`
}

function count(value: number): string {
  return value.toLocaleString('en')
}
