import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const START_TIMEOUT_MS = 40_000
/** From then on it also knows what to do with a signal. */
const LAST_WORDS_OF_A_START = /Ctrl-C stops everything|Sign in: npx rapport/

export type Outcome = { code: number | null; out: string; err: string }

type Env = Record<string, string>

/** Runs a command to its end, as the operator would in a shell. */
export async function rapport(words: string[], env: Env = {}): Promise<Outcome> {
  const { child, said } = launch(words, env)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...said }
}

export type RunningRapport = {
  url: string
  said: { out: string; err: string }
  process: ChildProcess
  /** Settles when the process is gone, by itself or by a signal. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  stop(): Promise<number | null>
}

/** `rapport start` on a free port, or on that one, until it says that it runs. */
export async function startRapport(env: Env, onPort?: number): Promise<RunningRapport> {
  const port = onPort ?? (await freePort())
  const { child, said } = launch(['start'], { PORT: String(port), ...env })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!LAST_WORDS_OF_A_START.test(said.out)) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`rapport start did not come up:\n${said.out}\n${said.err}`)
    }
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  return {
    url: `http://127.0.0.1:${port}`,
    said,
    process: child,
    ended,
    async stop() {
      child.kill('SIGTERM')
      return (await ended).code
    },
  }
}

function launch(words: string[], env: Env): { child: ChildProcess; said: { out: string; err: string } } {
  // Nothing of the tests' own environment but what every program needs. Many short programs share their compiled code.
  const { PATH = '', HOME = '' } = process.env
  const base = { PATH, HOME, NODE_COMPILE_CACHE: join(tmpdir(), 'rapport-test-compiled') }
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: { ...base, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (text: Buffer) => (said.out += text.toString()))
  child.stderr.on('data', (text: Buffer) => (said.err += text.toString()))
  return { child, said }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
