import { createHash } from 'node:crypto'
import { chmod, lchown, mkdir, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { serverAccount, type Account } from './account.ts'
import { findBinaries, type Binaries } from './binaries.ts'
import { initialise, isInitialised, removeUnfinished } from './initialise.ts'
import { findPassword, makePassword } from './password.ts'
import { reachOf, type Reach } from './reach.ts'

/** The database files. The mark tells their server from any other process of the machine. */
export type FoundCluster = { dataDir: string; folder: string; mark: string; password: string }

/** The database files and all that is needed to serve them. */
export type Cluster = FoundCluster & { account: Account | undefined; binaries: Binaries; reach: Reach }

/** The cluster in this data folder, created where there is none. */
export async function openCluster(dataDir: string, log: (line: string) => void): Promise<Cluster> {
  await mkdir(dataDir, { recursive: true })
  const home = await realpath(dataDir)
  const folder = clusterFolder(home)
  const account = await serverAccount(folder)
  const binaries = await findBinaries(home, account)
  if (await isInitialised(folder)) await removeUnfinished(folder)
  else {
    log(`Creating the database in ${folder}`)
    await initialise({ folder, account, binaries, password: await makePassword(home) })
  }
  await secure(folder, account)
  return { ...(await describe(home)), account, binaries, reach: await reachOf(folder, account) }
}

export async function findCluster(dataDir: string): Promise<FoundCluster | undefined> {
  const home = await realpath(dataDir).catch(() => undefined)
  return home && (await isInitialised(clusterFolder(home))) ? describe(home) : undefined
}

const clusterFolder = (dataDir: string) => join(dataDir, 'postgres')

/** PostgreSQL serves only files of its own account that nobody else may enter; a restored copy may be neither. */
async function secure(folder: string, account: Account | undefined): Promise<void> {
  await chmod(folder, 0o700)
  if (!account) return
  const owners = await Promise.all([folder, join(folder, 'PG_VERSION')].map(path => stat(path)))
  if (owners.every(({ uid }) => uid === account.uid)) return
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), account.uid, account.gid)
  }
  await lchown(folder, account.uid, account.gid)
}

async function describe(dataDir: string): Promise<FoundCluster> {
  const folder = clusterFolder(dataDir)
  return { dataDir, folder, mark: await markOf(folder), password: await findPassword(dataDir) }
}

/** Made of the folder's inode, which stays when the folder is renamed under a running server. */
async function markOf(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true })
  return `rapport-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, MARK_DIGITS)}`
}

const MARK_DIGITS = 12
