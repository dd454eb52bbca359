import type { Duplex } from 'node:stream'
import pg from 'pg'
import { Problem } from '../problem.ts'
import { Hosts, READ_ONLY, standbyError, watchStandby } from './hosts.ts'
import { RowClient } from './row-reader.ts'
import { Flush, type Statement, type StatementResult } from './flush.ts'

export const APPLICATION_ROLE = 'rapport_app'
const CONNECT_TIMEOUT_MS = 5_000
const IDLE_TIMEOUT_MS = 60_000
const STATEMENT_TIMEOUT_MS = 30_000
/** A process that froze in the middle of a transaction must not hold back everybody's live updates. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000
/** Silence this long means that the server is gone without a word: the connection is given up, its outcome unknown. */
const ANSWER_TIMEOUT_MS = 4 * STATEMENT_TIMEOUT_MS
/** An idle connection to a machine that vanished is noticed after this and ten probes, a second each. */
const KEEP_ALIVE_AFTER_MS = 10_000
/** How long a database that had no room is taken for one that has none. */
export const ROOM_DOUBTED_MS = 10_000

export type Pool = {
  /** Runs the statements in one write on one connection, as one transaction. */
  flush(statements: readonly Statement[]): Promise<StatementResult[]>
  checkOut(): Promise<Checkout>
  close(): Promise<void>
  stats(): { total: number; idle: number; waiting: number }
  /** Whether the database has just refused something for want of room: on the disk, in memory, for connections. */
  lacksRoom(): boolean
}

export type Checkout = {
  client: pg.PoolClient
  flush(statements: readonly Statement[]): Promise<StatementResult[]>
  /** A broken connection is destroyed instead of being handed to the next. */
  release(broken?: boolean): void
}

/** A pooler in transaction mode hands each transaction to any of its connections. */
export type Pooler = {
  /** Whether it prepares named statements on whichever connection it uses: PgBouncer from 1.21 on. */
  named: boolean
}

export type PoolOptions = {
  /** May name several hosts: the pool uses the one that takes writes. */
  url: string
  size: number
  onError: (error: Error) => void
  /** The owner migrates and backs up; everything else runs as the application role, which row security binds. */
  role?: 'application' | 'owner'
  /** The URL is that of a pooler in transaction mode: settings come with the login. */
  pooler?: Pooler
}

/** How much may wait to be merged into a search index. Every search reads all of it. */
const PENDING_SEARCH_KB = 256

const ownerSettings = {
  // One warning is wanted: that a commit did not wait for its standby.
  client_min_messages: 'warning',
  timezone: 'UTC',
  gin_pending_list_limit: `${PENDING_SEARCH_KB}kB`,
  // A sharded database passes SET LOCAL on to its nodes only when asked to; any other has no use for this setting.
  'citus.propagate_set_commands': 'local',
  idle_in_transaction_session_timeout: `${IDLE_IN_TRANSACTION_TIMEOUT_MS}ms`,
}
/** What every connection of the application has from its start. */
export const applicationSettings = { ...ownerSettings, statement_timeout: `${STATEMENT_TIMEOUT_MS}ms` }

function optionsOf(settings: Record<string, string>, role: PoolOptions['role']): string {
  const all = role === 'owner' ? settings : { ...settings, role: APPLICATION_ROLE }
  return Object.entries(all)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

export function openPool({ url, size, onError, role = 'application', pooler }: PoolOptions): Pool {
  const named = pooler?.named ?? true
  const hosts = new Hosts(url)
  const pool = new pg.Pool({
    Client: clientOf(hosts),
    onConnect: refuseStandby,
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    ...(pooler ? {} : { options: optionsOf(role === 'owner' ? ownerSettings : applicationSettings, role) }),
  })
  // Without a listener, a server that stops would take this process with it. The pool listens to idle connections only,
  // and a connection can end in the very moment it is handed out: each has a listener of its own from the start.
  pool.on('error', onError)
  pool.on('connect', client => {
    client.on('error', () => {})
    watchReplication(client)
  })

  const answerTimeoutMs = role === 'owner' ? undefined : ANSWER_TIMEOUT_MS
  let lackedRoomAt = -Infinity
  const fail = (error: unknown): never => {
    if (isLackOfRoom(error)) lackedRoomAt = performance.now()
    throw asUnavailable(error)
  }

  /** Each host once at most: whichever takes writes is the one that all later connections go to. */
  async function connect(): Promise<pg.PoolClient> {
    for (let tries = hosts.urls.length; ; tries--) {
      const host = hosts.current
      try {
        return await pool.connect()
      } catch (error) {
        if (!isConnectionLoss(error) || isPoolBusy(error)) throw error
        hosts.leave(host)
        if (tries <= 1) throw error
      }
    }
  }

  async function checkOut(): Promise<Checkout> {
    const client = await connect().catch(fail)
    return {
      client,
      flush: statements => flushOn(client, new Flush(statements, { named }), answerTimeoutMs).catch(fail),
      release: (broken = false) => client.release(broken),
    }
  }

  return {
    checkOut,
    async flush(statements) {
      const checkout = await checkOut()
      let broken = true
      try {
        const results = await flushWhole(checkout, statements)
        broken = false
        return results
      } catch (error) {
        if (!isConnectionLoss(error)) broken = !(await rolledBack(checkout))
        throw error
      } finally {
        checkout.release(broken)
      }
    },
    close: () => pool.end(),
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    lacksRoom: () => performance.now() - lackedRoomAt < ROOM_DOUBTED_MS,
  }
}

export const BEGIN: Statement = { text: 'begin', values: [], quiet: true }
export const COMMIT: Statement = { text: 'commit', values: [], quiet: true }
export const ROLLBACK: Statement = { text: 'rollback', values: [], quiet: true }

/**
 * One transaction in one write; answers its statements only. A flush is a transaction even without BEGIN, but then the
 * server logs a warning for each `SET LOCAL`, and a sharded database keeps the setting from its shards. When a statement
 * fails, COMMIT is skipped with the rest: the connection needs a ROLLBACK.
 */
export async function flushWhole(
  { flush }: Pick<Checkout, 'flush'>,
  statements: readonly Statement[],
): Promise<StatementResult[]> {
  return (await flush([BEGIN, ...statements, COMMIT])).slice(1, -1)
}

async function rolledBack({ flush }: Checkout): Promise<boolean> {
  return flush([ROLLBACK]).then(
    () => true,
    () => false,
  )
}

async function flushOn(
  client: pg.PoolClient,
  flush: Flush,
  timeoutMs: number | undefined,
): Promise<StatementResult[]> {
  client.query(flush)
  const silence = timeoutMs && setTimeout(() => cutOff(client), timeoutMs)
  try {
    const results = await flush.done
    if (unreplicated.delete(client)) throw notReplicated()
    return results
  } finally {
    clearTimeout(silence)
  }
}

/** Everything under way on it fails as with any lost connection. */
function cutOff(client: pg.PoolClient): void {
  ;(client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy()
}

const unreplicated = new WeakSet<pg.ClientBase>()

/**
 * With a synchronous standby, a commit whose wait was cancelled (the statement timeout does not end it, an operator can)
 * succeeds with a warning: it is on one machine only, and a failover would lose it. Such a commit is not acknowledged.
 */
function watchReplication(client: pg.ClientBase): void {
  client.on('notice', ({ routine }) => {
    if (routine === 'SyncRepWaitForLSN') unreplicated.add(client)
  })
}

function notReplicated(): Error {
  return Object.assign(new Error('The commit did not reach the standby.'), { code: '08007' })
}

/** Connects to the host that is used now. */
function clientOf(hosts: Hosts): typeof RowClient {
  return class extends RowClient {
    constructor(config: object) {
      super({ ...config, connectionString: hosts.current })
      standbyOf.set(this, watchStandby(this))
    }
  }
}

const standbyOf = new WeakMap<pg.ClientBase, () => boolean>()

async function refuseStandby(client: pg.ClientBase): Promise<void> {
  if (standbyOf.get(client)?.()) throw standbyError()
}

/** A database that is away or has no room says so; every other error stays what it is. */
function asUnavailable(error: unknown): unknown {
  if (isLackOfRoom(error))
    return new Problem('unavailable', 'The database is out of space. Try again later.', {
      code: 'database_full',
      headers: { 'retry-after': '30' },
      cause: error,
    })
  if (!isConnectionLoss(error)) return error
  return new Problem('unavailable', 'The database is temporarily unavailable. Try again shortly.', {
    code: 'database_unavailable',
    headers: { 'retry-after': '2' },
    cause: error,
  })
}

/** SQLSTATE class 53: the disk is full, memory is short, there are too many connections. */
function isLackOfRoom(error: unknown): boolean {
  return /^53...$/.test((error as { code?: string } | null)?.code ?? '')
}

/** Nobody gave a connection back in time: no fault of the host. */
function isPoolBusy(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof Problem) return error.code === 'database_unavailable'
  if (!(error instanceof Error)) return false
  const code = (error as { code?: string }).code ?? ''
  // Read-only: the primary of a moment ago is a standby now.
  const shuttingDown = ['57P01', '57P02', '57P03', READ_ONLY].includes(code)
  const refused = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'].includes(code)
  return (
    shuttingDown ||
    refused ||
    code.startsWith('08') ||
    /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(error.message)
  )
}

// A record has one spelling from the table to the screen: instants are ISO 8601 text, counts are numbers.
const TIMESTAMPTZ = 1184
const BIGINT = 20
const DATE = 1082
pg.types.setTypeParser(TIMESTAMPTZ, isoFromPostgres)
pg.types.setTypeParser(BIGINT, Number)
pg.types.setTypeParser(DATE, text => text)

/** `2026-03-02 09:00:00.12+00` → `2026-03-02T09:00:00.120Z`, without a Date: lists hold hundreds of these. */
export function isoFromPostgres(text: string): string {
  const seconds = text.slice(0, 10) + 'T' + text.slice(11, 19)
  if (text.charCodeAt(19) !== 46) return seconds + '.000Z'
  const end = text.indexOf('+', 20)
  return seconds + '.' + text.slice(20, Math.min(end, 23)).padEnd(3, '0') + 'Z'
}
