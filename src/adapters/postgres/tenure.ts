import { setTimeout as sleep } from 'node:timers/promises'
import { claimServer, findKeeper, type Claim } from './claim.ts'
import type { Cluster } from './cluster.ts'
import { connectionUrl, ensureDatabase, isPassingRefusal, isUnreachable } from './connection.ts'
import { spawnGuardian } from './guardian.ts'
import { clearStaleLocks, findLiveServer, type ServerLock } from './locks.ts'
import { PassingStartFailure, shutDown, spawnServer, watchServer, type Server } from './server.ts'
import { serverArguments } from './settings.ts'
import { makeSocketFolder } from './socket-folder.ts'

/** A server at our disposal. Without a claim it belongs to another living process, which alone may stop it. */
export type Tenure = {
  server: Server
  lock: ServerLock
  url: string
  adopted: boolean
  claim: Claim | undefined
}

type Settings = Record<string, string>
type Log = (line: string) => void

/** Adopts the server that runs on this cluster, else starts one; waits while an earlier one is still going down. */
export async function obtainServer(cluster: Cluster, settings: Settings, log: Log): Promise<Tenure> {
  const deadline = performance.now() + START_TIMEOUT_MS
  let lastError: unknown
  while (performance.now() < deadline) {
    try {
      const running = await findLiveServer(cluster)
      const tenure = running ? await adopt(cluster, running, log) : await launch(cluster, settings, log)
      if (tenure) return tenure
    } catch (error) {
      if (!(error instanceof PassingStartFailure) && !isPassingRefusal(error)) throw error
      lastError = error
    }
    await sleep(RETRY_PAUSE_MS)
  }
  throw new Error(`PostgreSQL in ${cluster.folder} was not ready within ${START_TIMEOUT_MS} ms`, {
    cause: lastError,
  })
}

const START_TIMEOUT_MS = 120_000
const RETRY_PAUSE_MS = 20
const SECOND_LOOK_MS = 100

/** Undefined while the server that was found is still starting, or is about to go. */
async function adopt(cluster: Cluster, lock: ServerLock, log: Log): Promise<Tenure | undefined> {
  const keeper = await findSettledKeeper(cluster)
  // The guardian of a killed process stops its server within moments: to adopt that one would be in vain.
  if (keeper === 'guardian' || lock.status !== 'ready') return undefined
  const server = await watchServer(lock.pid)
  const url = connectionUrl(lock, cluster.password)
  try {
    await ensureDatabase(url)
  } catch (error) {
    // An orphan whose socket was swept away with the temporary files can be reached by a signal only.
    if (keeper === 'nobody' && isUnreachable(error)) await shutDown(server)
    throw error
  }
  const isOrphan = keeper === 'nobody'
  const claim = isOrphan ? await claimServer(cluster, spawnGuardian(cluster.folder, lock.pid)) : undefined
  log(`PostgreSQL (pid ${lock.pid}) is already running here: ${isOrphan ? 'adopting' : 'sharing'} it.`)
  return { server, lock, url, adopted: true, claim }
}

/** A process that has just started the server writes its claim a moment later: nobody is nobody at the second look. */
async function findSettledKeeper(cluster: Cluster): ReturnType<typeof findKeeper> {
  const keeper = await findKeeper(cluster)
  if (keeper !== 'nobody') return keeper
  await sleep(SECOND_LOOK_MS)
  return findKeeper(cluster)
}

async function launch(cluster: Cluster, settings: Settings, log: Log): Promise<Tenure> {
  const socketFolder = await makeSocketFolder(cluster.mark, cluster.account)
  await clearStaleLocks(cluster, socketFolder)
  const server = await spawnServer(cluster, serverArguments(cluster, socketFolder, settings), log)
  // The guardian comes before readiness: a kill in the middle of a long recovery leaves no stray server either.
  const guardian = spawnGuardian(cluster.folder, server.pid)
  let claim: Claim | undefined
  try {
    const lock = await server.ready(START_TIMEOUT_MS)
    // The claim comes after it: of two starters at once only the one whose server holds the lock may make it.
    claim = await claimServer(cluster, guardian)
    const url = connectionUrl(lock, cluster.password)
    await ensureDatabase(url)
    return { server, lock, url, adopted: false, claim }
  } catch (error) {
    await shutDown(server)
    await (claim ?? guardian).release()
    throw error
  }
}
