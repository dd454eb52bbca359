import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { createWriteStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#adapters/postgres/embedded.ts'
import { allScopes } from '#platform/scopes.ts'
import { signedEndpoints } from '#platform/signature.ts'
import { plainEnv, programIn } from '#test/programs.ts'
import { webhookSecret } from '#test/webhook-secret.ts'
import { mountSmallDisk, type SmallDisk } from './disk.ts'
import { startMember, type Member, type Role } from './member.ts'
import { startProviders, type Providers } from './providers.ts'
import { openShop, type Shop } from './shop.ts'
import type { Ledger } from './ledger.ts'
import { openWire, type Wire } from './wire.ts'

const run = promisify(execFile)
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const CERTIFICATE = fileURLToPath(new URL('../support/certificate/certificate.pem', import.meta.url))
const SOCKET_PORT = 5432
const CREDITS = 1_000_000
const CONNECT_TIMEOUT_MS = 5_000

/** A server of PostgreSQL whose processes and disk can be disturbed. With Citus there would be several. */
export type DatabaseNode = {
  name: string
  url: string
  /** Of its postmaster. */
  pid(): number
  disk: SmallDisk | string
}

export type Cluster = {
  folder: string
  /** The first one is where clients connect. */
  nodes: DatabaseNode[]
  members: Member[]
  providers: Providers
  /** A chain to pay on, or why there is none. */
  shop: Shop | string
  /** Keys of the API of the team that works, and of one that must not notice. */
  keys: { own: string; other: string }
  /** Asks the database past all proxies, as its owner. */
  query<Row = Record<string, any>>(text: string, values?: unknown[]): Promise<Row[]>
  /** The command line of the product; what it prints. */
  command(...words: string[]): Promise<string>
  start(role: Role): Promise<void>
  stop(options: { keep: boolean }): Promise<void>
}

export type ClusterOptions = {
  ledger: Ledger
  seed: number
  /** Bundles the programs of the product, with the help of a database. */
  programs: (postgresUrl: string) => Promise<string>
  smallDisk: boolean
  /** A chain to pay on, where this machine has one; by default there is. */
  hasShop?: boolean
  /** What the processes are told beside, or instead. */
  env?: Record<string, string>
}

export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'rapport-chaos-')))
  await chmod(folder, 0o755)
  const place = join(folder, 'database')
  await mkdir(place)
  const disk = options.smallDisk ? await mountSmallDisk(place) : 'not asked for'
  const remove = async () => {
    if (typeof disk !== 'string') await disk.unmount()
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
  try {
    return await buildCluster(options, folder, place, disk, remove)
  } catch (error) {
    await remove()
    throw error
  }
}

async function buildCluster(
  { ledger, seed, programs, hasShop = true, env: own = {} }: ClusterOptions,
  folder: string,
  place: string,
  disk: SmallDisk | string,
  remove: () => Promise<void>,
): Promise<Cluster> {
  const database = await startDatabase(folder, place)
  const providers = await startProviders(ledger, seed)
  const shop = hasShop ? await openShop() : 'not asked for'
  const programFolder = await programs(database.url)
  const env = { ...environment(folder, providers), ...(typeof shop !== 'string' && shop.env), ...own }
  const command = async (...words: string[]) => {
    const direct = { ...plainEnv(), ...env, DATABASE_URL: database.url }
    const program = programIn(programFolder, MAIN)
    return (await run(process.execPath, [program, ...words], { env: direct })).stdout.trim()
  }
  const keyOf = (email: string) => command('token', '--email', email, '--scope', allScopes.join(' '))
  // The first one migrates.
  const keys = { own: await keyOf('ada@chaos.example.test'), other: await keyOf('eve@chaos.example.test') }
  const members: Member[] = []
  return {
    folder,
    nodes: [{ name: 'database', url: database.url, pid: () => database.pid, disk }],
    members,
    providers,
    shop,
    keys,
    query: (text, values) => queryOnce(database.url, text, values),
    command,
    async start(role) {
      const wire = await openWire(() => socketOf(database.url))
      members.push(
        await startMember({
          role,
          name: `${role}-${members.filter(member => member.role === role).length + 1}`,
          programs: programFolder,
          folder,
          env: { ...env, DATABASE_URL: throughWire(database.url, wire) },
          database: wire,
          api: port => openWire(() => ({ host: '127.0.0.1', port })),
        }),
      )
    },
    async stop({ keep }) {
      await Promise.all(members.map(member => member.stop()))
      await database.stop()
      await providers.close()
      if (typeof shop !== 'string') await shop.close()
      if (!keep) await remove()
    },
  }
}

/** As in production: what is acknowledged is on its disk. */
async function startDatabase(folder: string, dataDir: string): Promise<EmbeddedPostgres> {
  const log = createWriteStream(join(folder, 'database.log'), { flags: 'a' })
  return startEmbeddedPostgres({
    dataDir,
    log: line => log.write(`${line}\n`),
    // So that a crash is recovered from within seconds, on a small disk.
    settings: {
      max_wal_size: '256MB',
      min_wal_size: '64MB',
      checkpoint_timeout: '60s',
      log_checkpoints: 'off',
    },
  })
}

function environment(folder: string, { ports }: Providers): Record<string, string> {
  return {
    DATA_DIR: join(folder, 'data'),
    // One address for all processes: a challenge names it.
    BASE_URL: 'http://rapport.chaos.example.test',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'info',
    DATABASE_POOL_SIZE: '10',
    CREDITS_MONTHLY: String(CREDITS),
    SIMULATOR_PACE_MS: '20',
    EMAIL_FROM: 'Lab <lab@chaos.example.test>',
    SMTP_URL: `smtp://127.0.0.1:${ports.smtp}?maxConnections=4`,
    TWILIO_ACCOUNT_SID: 'AC1',
    TWILIO_AUTH_TOKEN: 'the token of the laboratory',
    TWILIO_FROM: '+15550100',
    TWILIO_BASE_URL: `http://127.0.0.1:${ports.sms}`,
    OUTBOUND_ALLOW_HOSTS: 'localhost',
    NODE_EXTRA_CA_CERTS: CERTIFICATE,
    ...Object.fromEntries(
      signedEndpoints.map(name => [`${name.toUpperCase()}_WEBHOOK_SECRET`, webhookSecret(name)]),
    ),
  }
}

/** The embedded server listens on a socket in a folder. */
function socketOf(url: string): { path: string } {
  const { hostname, port } = new URL(url)
  return { path: join(decodeURIComponent(hostname), `.s.PGSQL.${port || SOCKET_PORT}`) }
}

function throughWire(url: string, { port }: Wire): string {
  return url.replace(/@[^/]+\//, `@127.0.0.1:${port}/`)
}

async function queryOnce<Row>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text, values)).rows as Row[]
  } finally {
    await client.end().catch(() => {})
  }
}
