import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { domains, registryOf, type Domain } from '#app'
import type { Config } from '#config'
import { createMetrics } from '#http/metrics.ts'
import { createServer } from '#http/server.ts'
import { startChangeFeed, type ChangeFeed } from '#platform/changes.ts'
import { systemClock, type Clock } from '#platform/clock.ts'
import type { Runtime } from '#platform/context.ts'
import type { Endpoint } from '#platform/contract.ts'
import { openPool, type Pooler } from '#platform/database/pool.ts'
import { CONCURRENCY } from '#platform/jobs/limits.ts'
import { startWorker, type Worker } from '#platform/jobs/worker.ts'
import type { Ports } from '#platform/ports/ports.ts'
import { startRateWindows, type RateWindows } from '#platform/rate-windows.ts'
import { startScheduler } from '#platform/schedule.ts'

export type Role = 'all' | 'api' | 'worker'

/** The part of a process that only needs a database: what commands work with. */
export type Base = { runtime: Runtime; close(): Promise<void> }

export type BaseOptions = {
  config: Config
  databaseUrl: string
  /** Set where `databaseUrl` is that of a pooler in transaction mode. */
  pooler?: Pooler
  ports: Ports
  clock?: Clock
  domains?: readonly Domain[]
  /** Whether the tables of teams are sharded: this is asked once. */
  sharded?: boolean
}

export function openBase({
  config,
  databaseUrl,
  pooler,
  ports,
  clock = systemClock,
  domains: list = domains,
  sharded = false,
}: BaseOptions): Base {
  const log = pino({
    level: config.logLevel,
    base: { service: 'rapport' },
    redact: {
      paths: ['req.headers', '*.password', '*.secret', '*.token', '*.key', '*.cookie', '*.authorization'],
      censor: '[hidden]',
    },
  })
  const pool = openPool({
    url: databaseUrl,
    ...(pooler && { pooler }),
    size: config.databasePoolSize,
    onError: error => log.warn({ reason: error.message }, 'database connection lost'),
  })
  const runtime: Runtime = {
    pool,
    clock,
    log,
    registry: registryOf(list),
    settings: config,
    ports,
    sharded,
    wakeWorker: () => {},
    changes: undefined as unknown as ChangeFeed,
    windows: undefined as unknown as RateWindows,
  }
  runtime.changes = startChangeFeed(runtime)
  runtime.windows = startRateWindows(runtime)
  return {
    runtime,
    async close() {
      runtime.changes.stop()
      await Promise.all([
        runtime.windows.stop(),
        ports.mail.close(),
        ports.sms.close(),
        ports.whatsapp.close(),
        ports.mailbox?.close(),
        ports.mailboxServers.close(),
        ports.bank.close(),
        ports.chain?.close(),
        ports.voice.close(),
      ])
      await pool.close()
    },
  }
}

export type Running = { url: string; runtime: Runtime; worker: Worker | undefined; stop(): Promise<void> }

export type ProcessOptions = BaseOptions & {
  role?: Role
  lookEveryMs?: number
  webFolder?: string
  onAnswer?: (endpoint: Endpoint, value: unknown) => void
}

/** Starts what the role asks for; stopping takes no new work, finishes what is in hand, and then lets go. */
export async function startProcess(options: ProcessOptions): Promise<Running> {
  const { config, role = 'all', domains: list = domains, webFolder, onAnswer, lookEveryMs } = options
  const base = openBase(options)
  const { runtime } = base
  if (lookEveryMs !== undefined) runtime.lookEveryMs = lookEveryMs
  const worker = role === 'api' ? undefined : startWorker(runtime, { concurrency: jobsAtOnce(config) })
  runtime.wakeWorker = () => worker?.wake()
  const attending = role === 'api' ? [] : list.flatMap(({ attendants = [] }) => attendants)
  const attendants = attending.map(start => start(runtime))
  const scheduler = role !== 'api' && config.scheduler ? startScheduler(runtime) : undefined
  let stopping = false
  const server = createServer({
    runtime,
    domains: role === 'worker' ? [] : list,
    metrics: createMetrics(runtime.pool, worker),
    ...(webFolder && role !== 'worker' && { webFolder }),
    ...(onAnswer && { onAnswer }),
    isStopping: () => stopping,
    trustedProxies: config.trustedProxies,
  })
  let serving = false
  async function stop(): Promise<void> {
    stopping = true
    const working = Promise.all([scheduler, worker, ...attendants].map(part => part?.stop()))
    if (serving && role !== 'worker') await sleep(config.shutdownDrainMs)
    runtime.changes.stop()
    await Promise.all([server.close(), working])
    await base.close()
  }
  try {
    const url = await server.listen({ host: config.host, port: config.port })
    serving = true
    return { url, runtime, worker, stop }
  } catch (error) {
    await stop()
    throw notListening(config, error as NodeJS.ErrnoException)
  }
}

/** Jobs leave some connections of a small pool to requests and to the worker's own. */
function jobsAtOnce({ databasePoolSize }: Config): number {
  return Math.max(1, Math.min(CONCURRENCY, databasePoolSize - 4))
}

function notListening({ host, port }: Config, error: NodeJS.ErrnoException): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use by another program. Set PORT to a free port.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine.`,
    ENOTFOUND: `HOST ${host} is not an address of this machine.`,
    EACCES: `Port ${port} requires elevated privileges. Set PORT to a port above 1023.`,
  }
  return new Error(reasons[error.code ?? ''] ?? error.message, { cause: error })
}
