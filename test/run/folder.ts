import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NAME = 'rapport-tests-'
const MEMORY_FOLDER = '/dev/shm'
const ROOM_BYTES = 6 * 1024 ** 3

/**
 * Everything that this run puts into a temporary folder goes into one of its own, which goes with it, also when the run is
 * stopped. What a run left behind that was killed goes with the next one.
 */
export function useOwnFolder({ onDisk }: { onDisk: boolean }): void {
  const parent = !onDisk && hasRoomInMemory() ? MEMORY_FOLDER : tmpdir()
  for (const place of new Set([MEMORY_FOLDER, tmpdir()])) removeLeftovers(place)
  const folder = mkdtempSync(join(parent, `${NAME}${process.pid}-`))
  // Open to everybody, as any temporary folder: PostgreSQL does not run as root.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  process.on('exit', () => remove(folder))
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
}

/** Hundreds of databases are made and dropped, each of a thousand files: a disk only slows that down. */
function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return bavail * bsize > ROOM_BYTES
}

function removeLeftovers(place: string): void {
  if (!existsSync(place)) return
  for (const name of readdirSync(place).filter(name => name.startsWith(NAME))) {
    if (!isRunning(Number.parseInt(name.slice(NAME.length)))) remove(join(place, name))
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** A database server that is about to end may still write. */
function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}
