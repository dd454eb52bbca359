import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { expect, onTestFinished, vi } from 'vitest'
import { findCluster } from './cluster.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'
import { identify } from './processes.ts'

export const MODULE = fileURLToPath(new URL('./embedded.ts', import.meta.url))
// Processes are killed here, the machine stays up: what was written need not be on the disk.
const SETTINGS = { fsync: 'off' }
export const PATIENCE = { timeout: 10_000, interval: 10 }

/** Another Node process that starts the server, so that a test can kill it. */
export type Host = {
  process: ChildProcess
  url: string
  pid: number
  adopted: boolean
  nextLine(): Promise<string>
  end(): Promise<number | null>
}

type HostOptions = { account?: { uid: number; gid: number }; module?: string }

export async function startHost(dataDir: string, options: HostOptions = {}): Promise<Host> {
  const child = spawnHost(dataDir, options)
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const nextLine = async () => String((await lines.next()).value)
  const server = JSON.parse(await nextLine()) as Pick<Host, 'url' | 'pid' | 'adopted'>
  const end = async () => {
    child.stdin!.end()
    const [code] = await once(child, 'exit')
    return code as number | null
  }
  return { process: child, ...server, nextLine, end }
}

/** Detached: a process group of its own, as under a terminal. */
export function spawnHost(dataDir: string, { account, module = MODULE }: HostOptions = {}): ChildProcess {
  const words = ['--input-type=module', '--eval', HOST, module, dataDir]
  const child = spawn(process.execPath, words, {
    ...account,
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

export async function start(
  dataDir: string,
  options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {},
) {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: SETTINGS, ...options })
  onTestFinished(() => server.stop())
  return server
}

export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'rapport-test-')))
  await chmod(folder, 0o755)
  onTestFinished(async () => {
    for (const dataDir of [folder, join(folder, '.data')]) {
      const left = await findEmbeddedPostgres(dataDir)
      if (left) process.kill(left.pid, 'SIGQUIT')
      if (left) await gone(left.pid)
      const mark = (await findCluster(dataDir))?.mark
      // After a kill the folder of the socket stays for the next start.
      if (mark) await rm(join(tmpdir(), mark), { recursive: true, force: true })
    }
    await rm(folder, { recursive: true, force: true })
  })
  return folder
}

/** Kills the process together with its guardian, which must not see the end of the process first. */
export async function killOrphaning(host: Host, dataDir: string): Promise<void> {
  const guardian = guardianOf(dataDir)
  process.kill(guardian, 'SIGKILL')
  host.process.kill('SIGKILL')
  await gone(guardian)
  await gone(host.process.pid!)
}

export function guardianOf(dataDir: string): number {
  const claim = JSON.parse(readFileSync(join(dataDir, 'postgres.keeper.json'), 'utf8')) as {
    guardian: { pid: number }
  }
  return claim.guardian.pid
}

/** A program that has nothing to do with PostgreSQL, or its child that has ended and was never waited for. */
export async function spawnBystander(account: { uid: number; gid: number }, kind: string) {
  const script = kind === 'a zombie' ? 'true & echo $!; exec sleep 60' : 'echo $$; exec sleep 60'
  const bystander = spawn('sh', ['-c', script], {
    ...account,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void bystander.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: bystander.stdout }), 'line')
  return { bystander, pid: Number(line) }
}

export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

export const socketFolderOf = (url: string) => decodeURIComponent(new URL(url).hostname)

export const isAlive = async (pid: number) => (await identify(pid)) !== undefined

export async function gone(pid: number): Promise<void> {
  await vi.waitFor(async () => expect(await isAlive(pid)).toBe(false), PATIENCE)
}

// A strict umask must not close anything to the account that runs the server.
const HOST = `
  process.umask(0o077)
  const [module, dataDir] = process.argv.slice(1)
  const { startEmbeddedPostgres } = await import(module)
  const server = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: ${JSON.stringify(SETTINGS)} })
  const { url, pid, adopted } = server
  const stop = async () => {
    await server.stop()
    process.exit(0)
  }
  process.on('SIGINT', async () => {
    const { createRequire } = await import('node:module')
    const { Client } = createRequire(module)('pg')
    const client = new Client(url)
    await client.connect()
    const { rowCount } = await client.query('select from notes')
    await client.end()
    console.log('drained ' + rowCount + ' row')
    await stop()
  })
  process.stdin.on('end', stop).resume()
  console.log(JSON.stringify({ url, pid, adopted }))
`
