import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Storage } from '#platform/ports/storage.ts'
import { partsOf } from './key.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const DRAFTS = 'drafts'
/** No file takes that long to write: its process has died. */
const DRAFT_LIFE_MS = 3_600_000

/**
 * The embedded default: a file for each key, in a folder for each team. It is written as a draft and renamed once it is
 * on disk, so that a crash leaves no half of it under its name.
 */
export function openDisk({ folder }: { folder: string }): Storage {
  const drafts = join(folder, DRAFTS)
  const pathOf = (key: string) => {
    const { team, id } = partsOf(key)
    return join(folder, team, id)
  }
  return {
    kind: 'disk',
    async put(key, bytes) {
      const path = pathOf(key)
      await makeFolder(dirname(path))
      await makeFolder(drafts)
      await removeOldDrafts(drafts)
      // A name of its own: the same key may be written twice at once.
      const draft = join(drafts, randomBytes(12).toString('hex'))
      try {
        await writeSafely(draft, bytes)
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true }).catch(() => {
          // It is removed when it is old.
        })
        throw error
      }
      await syncFolder(dirname(path))
    },
    async get(key) {
      const file = await open(pathOf(key), 'r').catch(undefinedIfAbsent)
      return file?.createReadStream()
    },
    async remove(key) {
      await unlink(pathOf(key)).catch(undefinedIfAbsent)
    },
    async check() {
      const there = await nearestFolder(folder)
      // The folder comes with the first file. Made here, it could belong to another user than the one who writes into it.
      if (there === folder) await tryOut(folder)
      else await access(there, constants.W_OK | constants.X_OK)
    },
  }
}

async function makeFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: FOLDER_MODE })
  if (made === undefined) return
  for (const parent of new Set([dirname(made), dirname(path)])) await syncFolder(parent)
}

async function writeSafely(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Its new name has to survive a loss of power as well. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** What crashes left half written: nothing else knows of it. */
async function removeOldDrafts(drafts: string): Promise<void> {
  for (const name of await readdir(drafts)) {
    const path = join(drafts, name)
    const found = await stat(path).catch(undefinedIfAbsent)
    if (found && found.mtimeMs < Date.now() - DRAFT_LIFE_MS) await rm(path, { force: true })
  }
}

async function tryOut(folder: string): Promise<void> {
  const path = join(folder, `.check-${randomBytes(12).toString('hex')}`)
  const bytes = randomBytes(16)
  try {
    await writeSafely(path, bytes)
    if (!bytes.equals(await readFile(path))) throw new Error(`${folder} does not return what was written`)
  } finally {
    await rm(path, { force: true })
  }
}

async function nearestFolder(path: string): Promise<string> {
  const there = await stat(path).catch(undefinedIfAbsent)
  if (there?.isDirectory()) return path
  if (there) throw new Error(`${path} is not a folder`)
  return await nearestFolder(dirname(path))
}

function undefinedIfAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
