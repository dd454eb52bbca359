import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, plainEnv, programIn } from '#test/programs.ts'
import type { Wire } from './wire.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const CLOCK = new URL('./shifted-clock.mjs', import.meta.url).href
const RESTART_PAUSE_MS = 200
const READY_POLL_MS = 50
const READY_WITHIN_MS = 60_000

export type Role = 'api' | 'worker'

type Options = {
  role: Role
  name: string
  programs: string
  folder: string
  env: Record<string, string>
  /** Its own way to the database, and of clients to it. */
  database: Wire
  api: (port: number) => Promise<Wire>
}

/** A process of the product that is started again whenever it ends, as a service manager would. */
export type Member = {
  role: Role
  name: string
  wires: { database: Wire; api: Wire }
  isFrozen(): boolean
  kill(): void
  freeze(): void
  thaw(): void
  shiftClock(ms: number): void
  /** Asked to end, waited for, and started again. Its exit code, or the signal. */
  restart(): Promise<string>
  /** Resolves when it answers. */
  ready(): Promise<void>
  stop(): Promise<void>
}

export async function startMember(options: Options): Promise<Member> {
  const { role, name, programs, folder, env, database } = options
  const port = await freePort()
  const api = await options.api(port)
  let child: ChildProcess
  let shiftMs = 0
  let frozen = false
  let stopping = false
  let running = start()

  function start(): Promise<void> {
    const log = openSync(join(folder, `${name}.log`), 'a')
    child = spawn(process.execPath, [programIn(programs, MAIN), 'start', '--role', role], {
      env: {
        ...plainEnv(),
        NODE_COMPILE_CACHE: join(programs, 'compiled'),
        NODE_OPTIONS: `--import ${CLOCK} --trace-deprecation`,
        PORT: String(port),
        ...env,
      },
      stdio: ['ignore', log, log, 'ipc'],
    })
    closeSync(log)
    tellClock()
    const ended = once(child, 'exit')
    return ended.then(async () => {
      frozen = false
      if (stopping) return
      await sleep(RESTART_PAUSE_MS)
      if (!stopping) running = start()
    })
  }

  function tellClock(): void {
    // Who is just ending no longer needs to know.
    if (child.connected) child.send({ shiftMs }, () => {})
  }

  function signal(name: NodeJS.Signals): void {
    if (child.exitCode === null && child.signalCode === null) child.kill(name)
  }

  return {
    role,
    name,
    wires: { database, api },
    isFrozen: () => frozen,
    kill: () => signal('SIGKILL'),
    freeze() {
      frozen = true
      signal('SIGSTOP')
    },
    thaw() {
      frozen = false
      signal('SIGCONT')
    },
    shiftClock(ms) {
      shiftMs = ms
      tellClock()
    },
    async restart() {
      const asked = child
      const ended = asked.exitCode === null && asked.signalCode === null ? once(asked, 'exit') : undefined
      signal('SIGTERM')
      await ended
      return String(asked.signalCode ?? asked.exitCode)
    },
    async ready() {
      const deadline = performance.now() + READY_WITHIN_MS
      while (performance.now() < deadline) {
        const answer = await fetch(`http://127.0.0.1:${port}/healthz`, {
          signal: AbortSignal.timeout(READY_WITHIN_MS),
        }).catch(() => undefined)
        if (answer?.ok) return
        await sleep(READY_POLL_MS)
      }
      throw new Error(`${name} does not answer; see ${join(folder, `${name}.log`)}`)
    },
    async stop() {
      stopping = true
      signal('SIGKILL')
      await running
      await Promise.all([database.close(), api.close()])
    },
  }
}
