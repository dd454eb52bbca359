import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { readServerLock, type ServerLock } from './locks.ts'
import { identify, isAlive, type ProcessIdentity } from './processes.ts'

/** A running server; `ended` settles with the reason when it is gone. */
export type Server = ProcessIdentity & { ended: Promise<string> }

export type SpawnedServer = Server & { ready(timeoutMs: number): Promise<ServerLock> }

/** The start failed for a temporary reason: an earlier server is still shutting down. */
export class PassingStartFailure extends Error {}

export async function spawnServer(
  cluster: Cluster,
  words: string[],
  log: (line: string) => void,
): Promise<SpawnedServer> {
  const child = spawn(cluster.binaries.postgres, words, {
    ...cluster.account,
    cwd: cluster.reach.cwd,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    // A session of its own: Ctrl-C in the terminal must reach Node alone, which drains before it stops the server.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await once(child, 'spawn')
  const lastLines: string[] = []
  createInterface({ input: child.stderr! }).on('line', line => {
    log(line)
    lastLines.splice(0, lastLines.length - LAST_LINES_MAX + 1)
    lastLines.push(line)
  })
  const ended = once(child, 'exit').then(([code, signal]) =>
    signal ? `signal ${signal}` : `exit code ${code}`,
  )
  // Neither the server nor its log keeps this process alive: when it ends, the guardian stops the server.
  child.unref()
  ;(child.stderr as Socket).unref()
  const identity = (await identify(child.pid!)) ?? { pid: child.pid!, born: 'gone' }
  return {
    ...identity,
    ended,
    ready: timeoutMs => waitUntilReady(child, cluster.folder, timeoutMs, lastLines),
  }
}

/** A server that another process has spawned. */
export async function watchServer(pid: number): Promise<Server> {
  const identity = await identify(pid)
  if (!identity) throw new PassingStartFailure(`PostgreSQL (pid ${pid}) has just stopped`)
  return { ...identity, ended: watchUntilGone(identity) }
}

/** Fast shutdown, and where that hangs an immediate one, which costs a recovery at the next start but no data. */
export async function shutDown(server: Server): Promise<void> {
  for (const [signal, timeoutMs] of SHUTDOWN_STEPS) {
    const deadline = performance.now() + timeoutMs
    if (await isAlive(server)) process.kill(server.pid, signal)
    while (performance.now() < deadline) {
      if (!(await isAlive(server))) return
      await sleep(POLL_MS)
    }
  }
  throw new Error(`PostgreSQL (pid ${server.pid}) did not stop`)
}

const SHUTDOWN_STEPS = [
  ['SIGINT', 5_000],
  ['SIGQUIT', 3_000],
] as const
const POLL_MS = 10
const WATCH_POLL_MS = 250
const LAST_LINES_MAX = 10
const PASSING_CAUSES = /pre-existing shared memory block|lock file ".*" already exists/

async function waitUntilReady(child: ChildProcess, folder: string, timeoutMs: number, lastLines: string[]) {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      const output = lastLines.join('\n')
      const Failure = PASSING_CAUSES.test(output) ? PassingStartFailure : Error
      throw new Failure(`PostgreSQL did not start on ${folder}:\n${output}`)
    }
    const lock = await readServerLock(folder)
    if (lock?.pid === child.pid && lock?.status === 'ready') return lock
    await sleep(POLL_MS)
  }
  throw new Error(`PostgreSQL in ${folder} was not ready within ${timeoutMs} ms`)
}

async function watchUntilGone(identity: ProcessIdentity): Promise<string> {
  while (await isAlive(identity)) await sleep(WATCH_POLL_MS, undefined, { ref: false })
  return 'it is gone'
}
