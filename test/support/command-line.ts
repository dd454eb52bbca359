import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'node:util'
import { inject, vi } from 'vitest'
import { runCommand } from '../../src/commands/run.ts'
import { bundleFolder } from '../run/bundle.ts'
import { freePort, plainEnv, programIn } from './programs.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
/** A busy machine takes its time for two first starts at once. */
const START_TIMEOUT_MS = 110_000
/** From then on it also knows what to do with a signal. */
const LAST_WORDS_OF_A_START = /Ctrl-C stops everything|Sign in: npx rapport|role {6}worker[^]*database/

export type Outcome = { code: number | null; out: string; err: string }

type Env = Record<string, string>

type StartOptions = {
  /** A free one unless told. */
  port?: number
  /** As those who use it start it: what is bundled starts three times as fast. */
  fromSources?: boolean
  /** Everything in one process unless told. */
  role?: 'api' | 'worker'
}

/** Runs a command to its end, as the operator would in a shell. */
export async function rapport(words: string[], env: Env = {}): Promise<Outcome> {
  const { child, said } = await launch(words, env)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...said }
}

/** The same without a process of its own, which costs more than most commands: one at a time. */
export async function rapportHere(words: string[], env: Env = {}): Promise<Outcome> {
  const said = { out: '', err: '' }
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((...line) => void (said.out += `${format(...line)}\n`)),
    vi.spyOn(console, 'warn').mockImplementation((...line) => void (said.err += `${format(...line)}\n`)),
    vi.spyOn(console, 'error').mockImplementation((...line) => void (said.err += `${format(...line)}\n`)),
  ]
  const own = process.env
  process.env = { ...plainEnv(), ...env }
  try {
    return { code: await runCommand(words), ...said }
  } finally {
    process.env = own
    for (const spy of spies) spy.mockRestore()
  }
}

export type RunningRapport = {
  url: string
  said: { out: string; err: string }
  process: ChildProcess
  /** Settles when the process is gone, by itself or by a signal. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  stop(): Promise<number | null>
}

/** `rapport start`, until it says that it runs. */
export async function startRapport(env: Env, options: StartOptions = {}): Promise<RunningRapport> {
  const port = options.port ?? (await freePort())
  const { child, said } = await launch(
    ['start', ...(options.role ? ['--role', options.role] : [])],
    { PORT: String(port), ...env },
    options,
  )
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!LAST_WORDS_OF_A_START.test(said.out)) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(
        `rapport start did not come up (exit code ${child.exitCode}):\n${said.out}\n${said.err}`,
      )
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

async function launch(words: string[], env: Env, { fromSources = false }: StartOptions = {}) {
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe']
  const child = fromSources
    ? spawn(process.execPath, [MAIN, ...words], { env: { ...plainEnv(), ...env }, stdio })
    : await startProgram(MAIN, words, { env, stdio })
  const said = { out: '', err: '' }
  child.stdout!.on('data', (text: Buffer) => (said.out += text.toString()))
  child.stderr!.on('data', (text: Buffer) => (said.err += text.toString()))
  return { child, said }
}

/** A program of the product, by the path of its source: `main.ts` or one that ends in `.child.ts`. */
export async function startProgram(
  source: string,
  words: string[],
  { env = {}, stdio }: { env?: Env; stdio: StdioOptions },
): Promise<ChildProcess> {
  const folder = await bundleFolder(inject('postgresUrl'))
  // What was compiled for the first of them serves all.
  const base = { ...plainEnv(), NODE_COMPILE_CACHE: join(folder, 'compiled') }
  return spawn(process.execPath, [programIn(folder, source), ...words], {
    env: { ...base, ...env },
    stdio,
  })
}
