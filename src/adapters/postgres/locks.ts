import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { commandLine } from './processes.ts'

/** What PostgreSQL writes into `postmaster.pid`. */
export type ServerLock = { pid: number; port: number; socketFolder: string; status: string }

/** The parts of a cluster that tell its own server from any other program. */
type Guarded = { folder: string; mark: string }

export const PORT = 5432

export async function readServerLock(folder: string): Promise<ServerLock | undefined> {
  const text = await readIfPresent(serverLockFile(folder))
  const [pid, , , port, socketFolder = '', , , status = ''] = text?.split('\n') ?? []
  return Number(pid) > 0
    ? { pid: Number(pid), port: Number(port), socketFolder, status: status.trim() }
    : undefined
}

/** The lock of the server that really runs on this folder. */
export async function findLiveServer(cluster: Guarded): Promise<ServerLock | undefined> {
  const lock = await readServerLock(cluster.folder)
  return lock && (await isServerOf(lock.pid, cluster)) ? lock : undefined
}

/**
 * PostgreSQL refuses to start when the pid in a leftover lock is in use by any program of the same account,
 * or by a zombie. If that is not a server of this folder, the lock is removed. PostgreSQL's own shared memory
 * check still prevents two servers on one folder.
 */
export async function clearStaleLocks(cluster: Guarded, socketFolder: string): Promise<void> {
  for (const file of [serverLockFile(cluster.folder), socketLockFile(socketFolder)]) {
    const text = await readIfPresent(file)
    if (text !== undefined && !(await isServerOf(Number.parseInt(text), cluster)))
      await rm(file, { force: true })
  }
}

export const serverLockFile = (folder: string) => join(folder, 'postmaster.pid')

export const socketLockFile = (socketFolder: string) => join(socketFolder, `.s.PGSQL.${PORT}.lock`)

/** The mark is in the words we start a server with; the folder is in those of one that was started by hand. */
async function isServerOf(pid: number, { folder, mark }: Guarded): Promise<boolean> {
  const [program = '', ...words] = await commandLine(pid)
  return program.endsWith('postgres') && (words.includes(`cluster_name=${mark}`) || words.includes(folder))
}

async function readIfPresent(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
