import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The password of an existing database. */
export async function findPassword(dataDir: string): Promise<string> {
  return readFile(passwordFile(dataDir), 'utf8').catch((cause: unknown) => {
    const file = passwordFile(dataDir)
    throw new Error(`The database password cannot be read: restore ${file} from your backup.`, {
      cause,
    })
  })
}

/** A new password, or the one that another starter has just written. */
export async function makePassword(dataDir: string): Promise<string> {
  const file = passwordFile(dataDir)
  const draft = `${file}.${process.pid}`
  await writeFile(draft, randomBytes(PASSWORD_BYTES).toString('base64url'), { mode: 0o600, flush: true })
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return readFile(file, 'utf8')
}

const PASSWORD_BYTES = 24

const passwordFile = (dataDir: string) => join(dataDir, 'postgres.password')
