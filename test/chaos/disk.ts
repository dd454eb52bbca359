import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const SIZE_BYTES = 3 * 1024 ** 3
/** What is left while it is full: some pages, so that the limit is met in the middle of something. */
const LEFT_BYTES = 64 * 1024

/** A file system of its own for the database. Its size can be set to what it holds, so that nothing more fits. */
export type SmallDisk = { fill(): Promise<void>; clear(): Promise<void>; unmount(): Promise<void> }

/** Needs root on Linux; anything else is a reason, which the report says. */
export async function mountSmallDisk(folder: string): Promise<SmallDisk | string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'a file system of its own needs root on Linux'
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_BYTES},mode=755`, 'rapport-chaos', folder])
  } catch (error) {
    return `mounting failed: ${(error as Error).message.trim()}`
  }
  const resize = (bytes: number) => run('mount', ['-o', `remount,size=${bytes}`, folder])
  return {
    async fill() {
      const { blocks, bfree, bsize } = await statfs(folder)
      await resize((blocks - bfree) * bsize + LEFT_BYTES)
    },
    clear: async () => void (await resize(SIZE_BYTES)),
    unmount: async () => void (await run('umount', ['--lazy', folder])),
  }
}
