import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** PostgreSQL refuses to run as root: then another account runs it. */
export type Account = { uid: number; gid: number }

/** Undefined for an ordinary user, who runs PostgreSQL as themselves. */
export async function serverAccount(folder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const accounts = await readAccounts()
  const owner = (await stat(folder).catch(() => undefined))?.uid
  // Data that exists stays with its owner: an operator may start once with sudo and later without.
  const account =
    accounts.find(account => owner && account.uid === owner) ??
    PREFERRED_NAMES.map(name => accounts.find(account => account.name === name)).find(Boolean)
  if (account) return { uid: account.uid, gid: account.gid }
  throw new Error(
    'PostgreSQL cannot run as root, and this machine has no `postgres` or `nobody` account to run it: ' +
      'start Rapport as an ordinary user, or set DATABASE_URL.',
  )
}

/** Whether the account may walk through every folder from the root down to this one. */
export async function canEnter(folder: string, account: Account): Promise<boolean> {
  if (!(await hasPermission(folder, account, ENTER))) return false
  return folder === dirname(folder) || canEnter(dirname(folder), account)
}

export async function canRead(path: string, account: Account): Promise<boolean> {
  return hasPermission(path, account, READ)
}

const PREFERRED_NAMES = ['postgres', '_postgres', 'nobody']
const READ = 4
const ENTER = 1

async function readAccounts() {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  return lines
    .map(line => line.split(':'))
    .filter(fields => fields.length >= 4)
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }))
    .filter(account => account.uid !== 0)
}

async function hasPermission(path: string, account: Account, bit: number): Promise<boolean> {
  const { mode, uid, gid } = await stat(path)
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
  return ((mode >> shift) & bit) !== 0
}
