import { dirname } from 'node:path'
import { canEnter, type Account } from './account.ts'

/** How a program of another account gets to a folder: started with this `cwd`, it finds the folder under `path`. */
export type Reach = { cwd: string; path: string }

/**
 * Below a closed home (`/root` is 0700) the account that runs PostgreSQL cannot walk to the data folder. Linux has a way
 * that needs no opened parents: root puts the program into the folder, and there its own `/proc/self/cwd` leads back.
 */
export async function reachOf(folder: string, account: Account | undefined): Promise<Reach> {
  if (!account || (await canEnter(dirname(folder), account))) return { cwd: '/', path: folder }
  if (process.platform === 'linux') return { cwd: folder, path: '/proc/self/cwd' }
  throw new Error(
    `PostgreSQL cannot run as root, and the account that runs it instead has no access to ${dirname(folder)}: ` +
      'start Rapport as an ordinary user, or set DATA_DIR to a folder that everyone can enter.',
  )
}
