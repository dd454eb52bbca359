import { mkdir } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readConfig, type Config } from '#config'
import { writeBackup } from '#platform/database/backup.ts'
import type { Values } from './command.ts'
import { openDatabase } from './database.ts'
import { filesFolder } from './ports.ts'

export async function run(values: Values): Promise<void> {
  const config = readConfig()
  const now = new Date().toISOString()
  const file = resolve(
    values.file ??
      join(config.dataDir, 'backups', `rapport-${now.slice(0, 19).replaceAll(':', '')}Z.backup.gz`),
  )
  if (existsSync(file)) throw new Error(`${file} already exists. Choose another file.`)
  await mkdir(dirname(file), { recursive: true })
  const database = await openDatabase(config)
  try {
    const { rows, tables, bytes } = await writeBackup(database.url, file, now)
    console.log(
      `Wrote ${rows.toLocaleString('en')} rows of ${tables} tables (${Math.ceil(bytes / 1024).toLocaleString('en')} KiB) to ${file}\n\n${filesNote(config)}\n${secretsNote(config)}`,
    )
  } finally {
    await database.close()
  }
}

/** Their bytes are never changed, so that a copy made after the backup has all that the backup names. */
function filesNote(config: Config): string {
  const { s3 } = config
  const place = s3 ? ['s3:/', s3.bucket, ...(s3.prefix ? [s3.prefix] : [])].join('/') : filesFolder(config)
  return `A backup does not include files. Copy them too, after the backup: ${place}.`
}

/** Backups get copied to many places: what opens the doors is kept apart from them. */
export function secretsNote({ production, dataDir }: Config): string {
  const place = production
    ? 'the secrets in your environment'
    : `${join(dataDir, 'secrets.json')}, or the secrets you set`
  return `A backup does not include secrets. Keep them too: ${place}. Without them, everyone has to sign in again.`
}
