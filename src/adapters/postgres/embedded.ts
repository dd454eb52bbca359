import { setTimeout as sleep } from 'node:timers/promises'
import { findCluster, openCluster } from './cluster.ts'
import { connectionUrl } from './connection.ts'
import { findLiveServer } from './locks.ts'
import { shutDown } from './server.ts'
import { removeSocketFolder } from './socket-folder.ts'
import { obtainServer, type Tenure } from './tenure.ts'

export type EmbeddedPostgres = { url: string; pid: number; adopted: boolean; stop(): Promise<void> }

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, or adopts the one that runs there, and keeps it running: when it ends
 * without `stop`, it is started again behind the same url.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: (line: string) => void
  settings?: Record<string, string>
}): Promise<EmbeddedPostgres> {
  const { dataDir, log, settings = {} } = options
  const cluster = await openCluster(dataDir, log)
  const first = await obtainServer(cluster, settings, log)
  const unwanted = new AbortController()
  let tenure: Tenure | undefined = first
  let pid = first.server.pid
  let mending: Promise<void> | undefined
  let stopped: Promise<void> | undefined

  const mend = async (reason: string) => {
    log(`PostgreSQL (pid ${pid}) stopped: ${reason}. Restarting it.`)
    await tenure?.claim?.release()
    tenure = await insist(() => obtainServer(cluster, settings, log), log, unwanted.signal)
    pid = tenure?.server.pid ?? pid
  }
  const keepRunning = async ({ server }: Tenure): Promise<void> => {
    const reason = await server.ended
    if (unwanted.signal.aborted) return
    mending = mend(reason)
    await mending
    if (tenure) void keepRunning(tenure)
  }
  void keepRunning(first)

  const stop = async () => {
    unwanted.abort()
    // A restart under way is let finish, so that no server is left behind by a stop in its middle.
    await mending
    if (!tenure?.claim) return
    await shutDown(tenure.server)
    await tenure.claim.release()
    await removeSocketFolder(tenure.lock.socketFolder, cluster.mark)
  }
  return {
    url: first.url,
    adopted: first.adopted,
    get pid() {
      return pid
    },
    stop: () => (stopped ??= stop()),
  }
}

/** The server that already runs on this data folder, or undefined: for commands beside a running `rapport start`. */
export async function findEmbeddedPostgres(
  dataDir: string,
): Promise<{ url: string; pid: number } | undefined> {
  const cluster = await findCluster(dataDir)
  const lock = cluster && (await findLiveServer(cluster))
  if (!lock || lock.status !== 'ready') return undefined
  return { url: connectionUrl(lock, cluster.password), pid: lock.pid }
}

const RETRY_PAUSE_MS = 100
const RETRY_PAUSE_MAX_MS = 10_000

/** Tries until it works or is unwanted: a full disk, once cleared, must not need a restart by hand. */
async function insist<T>(
  attempt: () => Promise<T>,
  log: (line: string) => void,
  unwanted: AbortSignal,
): Promise<T | undefined> {
  let pauseMs = RETRY_PAUSE_MS
  while (!unwanted.aborted) {
    try {
      return await attempt()
    } catch (error) {
      log(`PostgreSQL did not start: ${(error as Error).message}`)
      await sleep(pauseMs, undefined, { signal: unwanted, ref: false }).catch(() => {})
      pauseMs = Math.min(pauseMs * 2, RETRY_PAUSE_MAX_MS)
    }
  }
  return undefined
}
