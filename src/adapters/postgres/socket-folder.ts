import { chown, lstat, mkdir, mkdtemp, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { canEnter, type Account } from './account.ts'
import { PORT } from './locks.ts'

/** A private folder for the socket, short enough for the kernel: data folders often lie too deep. */
export async function makeSocketFolder(mark: string, account: Account | undefined): Promise<string> {
  const base = await findBase(mark, account)
  const folder = join(base, mark)
  const uid = account?.uid ?? process.getuid!()
  await mkdir(folder, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(folder)
  const isOurs = found.isDirectory() && (found.uid === uid || found.uid === process.getuid!())
  // A stranger who made a folder of that name first must not get at the socket: take a name nobody could guess.
  const owned = isOurs && (found.mode & 0o077) === 0 ? folder : await mkdtemp(`${folder}-`)
  if (account) await chown(owned, account.uid, account.gid)
  return owned
}

/** A server that somebody started by hand has its socket elsewhere: that folder is not ours to remove. */
export async function removeSocketFolder(folder: string, mark: string): Promise<void> {
  if (basename(folder).startsWith(mark)) await rmdir(folder).catch(() => {})
}

// The kernel's limit without the closing zero; macOS has 4 bytes less.
const SOCKET_PATH_MAX_BYTES = process.platform === 'darwin' ? 103 : 107
const MKDTEMP_SUFFIX = '-XXXXXX'

async function findBase(mark: string, account: Account | undefined): Promise<string> {
  for (const base of [tmpdir(), '/tmp', '/var/tmp']) {
    const socket = join(base, mark + MKDTEMP_SUFFIX, `.s.PGSQL.${PORT}`)
    if (Buffer.byteLength(socket) > SOCKET_PATH_MAX_BYTES) continue
    // A temporary folder per user (as by pam_tmpdir) is closed to the account that runs the server.
    if (!account || (await canEnter(base, account).catch(() => false))) return base
  }
  throw new Error(
    'Every temporary folder path is too long for the PostgreSQL socket: set TMPDIR to a short path.',
  )
}
