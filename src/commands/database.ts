import { startEmbeddedPostgres } from '#adapters/postgres/embedded.ts'
import { readConfig, type Config } from '#config'
import { systemContext, type Context } from '#platform/context.ts'
import { ConfigError } from '#platform/config-error.ts'
import { checkLogin, openLogin } from '#platform/database/login.ts'
import { connectTo } from '#platform/database/hosts.ts'
import { migrate } from '#platform/database/migrate.ts'
import { isDistributed } from '#platform/database/places.ts'
import type { Pooler } from '#platform/database/pool.ts'
import { openPooler } from '#platform/database/pooler.ts'
import { openBase } from '../process.ts'
import { openPorts } from './ports.ts'

export const MIGRATIONS_FOLDER = new URL('../../migrations/', import.meta.url).pathname

export type Working = { databaseUrl: string; sharded: boolean; pooler?: Pooler }
export type Database = { url: string; embedded: boolean; close(): Promise<void> }

/** The configured server, or the embedded one: started, or shared with a `rapport start` that runs already. */
export async function openDatabase(
  config: Config,
  log: (line: string) => void = () => {},
): Promise<Database> {
  if (config.databaseUrl) return { url: config.databaseUrl, embedded: false, close: async () => {} }
  const server = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  return { url: server.url, embedded: true, close: () => server.stop() }
}

/** What the product works with: a login that owns nothing, through the pooler where there is one. */
export async function openWorking(config: Config, database: Database): Promise<Working> {
  const { url, shared } = await openWorkingLogin(config, database)
  const sharded = await isSharded(database.url)
  if (!config.databasePoolerUrl) return { databaseUrl: url, sharded }
  if (shared)
    throw new ConfigError('DATABASE_POOLER_URL requires a login of its own: set DATABASE_LOGIN_URL.')
  const through = await openPooler(url, config.databasePoolerUrl).catch(error => {
    throw new ConfigError(`DATABASE_POOLER_URL cannot be used: ${(error as Error).message}.`)
  })
  return { databaseUrl: through.url, sharded, pooler: through.pooler }
}

/** Where there can be no login of its own, it works with the one it has, which could pass row security, and says so. */
async function openWorkingLogin(
  config: Config,
  { url }: Database,
): Promise<{ url: string; shared?: string }> {
  if (config.databaseLoginUrl) {
    await checkLogin({ url: config.databaseLoginUrl }).catch(error => {
      throw new ConfigError(`DATABASE_LOGIN_URL cannot be used: ${(error as Error).message}.`)
    })
    return { url: config.databaseLoginUrl }
  }
  const login = await openLogin(url)
  if (login.shared)
    console.warn(
      `Rapport uses the login in DATABASE_URL, ${login.name}, because it could not create its own: ${login.shared}. ` +
        'See docs/deploy.md to set one up.',
    )
  return login
}

async function isSharded(url: string): Promise<boolean> {
  const client = await connectTo(url)
  try {
    return await isDistributed(client)
  } finally {
    await client.end()
  }
}

/** For commands: a migrated database and a context of the operator, whose shell it is. */
export async function withContext<Result>(
  work: (ctx: Context, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = { ...readConfig(), logLevel: 'error', databasePoolSize: 2 }
  const database = await openDatabase(config)
  try {
    await migrate(database.url, MIGRATIONS_FOLDER)
    const working = await openWorking(config, database)
    const base = openBase({ config, ...working, ports: openPorts(config) })
    try {
      return await work(
        systemContext(base.runtime).as({ kind: 'system', id: null, name: 'Operator' }),
        config,
      )
    } finally {
      await base.close()
    }
  } finally {
    await database.close()
  }
}
