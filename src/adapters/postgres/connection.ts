import { Client } from 'pg'
import type { ServerLock } from './locks.ts'

export const OWNER = 'rapport_owner'
const DATABASE = 'rapport'

export function connectionUrl(lock: Pick<ServerLock, 'socketFolder' | 'port'>, password: string): string {
  const host = encodeURIComponent(lock.socketFolder)
  // Port and sslmode are explicit so that PGPORT and PGSSLMODE of the operator's shell change nothing.
  return `postgresql://${OWNER}:${password}@${host}:${lock.port}/${DATABASE}?sslmode=disable`
}

/** Connects once, which also proves that the server takes our password, and makes the database where it is missing. */
export async function ensureDatabase(url: string): Promise<void> {
  const postgres = new URL(url)
  postgres.pathname = '/postgres'
  const client = new Client({ connectionString: postgres.href, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  // The promise of the call under way carries the error; without a listener it would end the process as well.
  client.on('error', () => {})
  try {
    await client.connect()
    const found = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`)
  } catch (error) {
    // Another starter may have made it in the same moment.
    if (!ALREADY_THERE.has(codeOf(error))) throw error
  } finally {
    await client.end().catch(() => {})
  }
}

/** Nobody listens on the socket, or there is none. */
export const isUnreachable = (error: unknown): boolean =>
  (error as Failure | undefined)?.syscall === 'connect'

/** The server is not listening yet, or is just going down. */
export const isPassingRefusal = (error: unknown): boolean =>
  PASSING.has(codeOf(error)) || isUnreachable(error)

type Failure = { code?: string; syscall?: string }

const ALREADY_THERE = new Set(['42P04', '23505'])
// cannot_connect_now, admin_shutdown, crash_shutdown, and a connection cut while the server goes down.
const PASSING = new Set(['57P03', '57P01', '57P02', 'ECONNRESET', 'EPIPE'])
const CONNECT_TIMEOUT_MS = 10_000

const codeOf = (error: unknown): string => (error as Failure | undefined)?.code ?? ''
