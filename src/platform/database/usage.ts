import type { Client, ClientBase } from 'pg'
import { connectTo } from './hosts.ts'

/** Any number that other programs on the same server are unlikely to use. */
const USAGE_LOCK = 7_266_789
const RETRY_MS = 1_000

export type Usage = { end(): Promise<void> }

/**
 * Says that a process works with this database, for as long as it does: a restore would pull the tables from under
 * it. A lock of the session, so that a killed process holds nothing.
 */
export async function useDatabase(url: string): Promise<Usage> {
  let client = await lockShared(url).catch(error => {
    // Two addresses of one host that both refuse make an error without a message.
    const { message, code } = error as NodeJS.ErrnoException
    throw new Error(`The database cannot be reached: ${message || code}. Check DATABASE_URL.`, {
      cause: error,
    })
  })
  if (!client) throw new Error('A restore into this database is in progress. Start again when it is done.')
  let ended = false
  let retry: NodeJS.Timeout | undefined

  function watch(connection: Client): void {
    connection.once('end', () => {
      client = undefined
      if (!ended) retry = setTimeout(() => void renew(), RETRY_MS)
    })
  }
  /** The server went away: with it the lock, which is taken again when the server is back. */
  async function renew(): Promise<void> {
    client = await lockShared(url).catch(() => undefined)
    if (ended) return void client?.end()
    if (client) watch(client)
    else retry = setTimeout(() => void renew(), RETRY_MS)
  }

  watch(client)
  return {
    async end() {
      ended = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}

/** Until the end of the transaction nobody else may use the database; refuses when somebody does. */
export async function claimAlone(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_xact_lock($1) as alone', [
    USAGE_LOCK,
  ])
  if (!rows[0]!.alone) throw new Error('Rapport is running on this database. Stop it first.')
}

/** How many processes use the database now. */
export async function countUsers(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
        and classid = 0 and objid = $1 and objsubid = 1 and granted`,
    [USAGE_LOCK],
  )
  return rows[0]!.count
}

async function lockShared(url: string): Promise<Client | undefined> {
  const client = await connectTo(url, { application_name: 'rapport (in use)', keepAlive: true })
  const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock_shared($1) as ours', [
    USAGE_LOCK,
  ])
  if (rows[0]!.ours) return client
  await client.end()
  return undefined
}
