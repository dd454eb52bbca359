import { spawn } from 'node:child_process'
import { chown, mkdir, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { OWNER } from './connection.ts'
import { reachOf } from './reach.ts'

export async function isInitialised(folder: string): Promise<boolean> {
  try {
    await stat(join(folder, 'PG_VERSION'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw new Error(`${folder} cannot be read: does it belong to another account?`, { cause: error })
  }
}

type Blueprint = { folder: string; account: Account | undefined; binaries: Binaries; password: string }

/** Creates the database files aside and moves them into place in one step: a kill in the middle leaves no half of it. */
export async function initialise({ folder, account, binaries, password }: Blueprint): Promise<void> {
  if ((await readdir(folder).catch(() => [])).length > 0) {
    throw new Error(`${folder} contains something other than a database: move it elsewhere.`)
  }
  const aside = await mkdtemp(folder + UNFINISHED)
  try {
    const data = join(aside, 'data')
    const passwordFile = join(aside, 'password')
    await mkdir(data, { mode: 0o700 })
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
    if (account) for (const path of [aside, data, passwordFile]) await chown(path, account.uid, account.gid)
    await runInitdb(data, account, binaries)
    await moveIntoPlace(data, folder)
  } catch (error) {
    // Another process may have been faster: its files stay, ours are removed.
    if (!(await isInitialised(folder))) throw error
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

/** What a kill in the middle of a first start has left. */
export async function removeUnfinished(folder: string): Promise<void> {
  const parent = dirname(folder)
  const names = (await readdir(parent)).filter(name => name.startsWith(basename(folder) + UNFINISHED))
  // An initdb that outlived its starter may still be writing: then the next start removes the rest.
  for (const name of names) await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
}

const UNFINISHED = '.new-'

async function runInitdb(data: string, account: Account | undefined, binaries: Binaries): Promise<void> {
  const { cwd, path } = await reachOf(data, account)
  const child = spawn(
    binaries.initdb,
    [
      `--pgdata=${path}`,
      `--pwfile=${path}/../password`,
      `--username=${OWNER}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The same order of text on every machine, whatever its libc.
      '--no-locale',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
    ],
    { ...account, cwd, env: { PATH: process.env.PATH, LC_ALL: 'C' }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const [complaint, code] = await Promise.race([Promise.all([text(child.stderr), ended]), failed])
  if (code !== 0) throw new Error(`PostgreSQL could not create its files in ${data}:\n${complaint.trim()}`)
}

async function moveIntoPlace(data: string, folder: string): Promise<void> {
  await rename(data, folder)
  // Without this a power failure could undo the move, and with it all that was written since.
  const parent = await open(dirname(folder))
  await parent.sync().finally(() => parent.close())
}
