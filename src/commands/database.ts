import { startEmbeddedPostgres } from '#adapters/postgres/embedded.ts'
import { readConfig, type Config } from '#config'
import { systemContext, type Context } from '#platform/context.ts'
import { migrate } from '#platform/database/migrate.ts'
import { openBase } from '../process.ts'
import { openPorts } from './ports.ts'

export const MIGRATIONS_FOLDER = new URL('../../migrations/', import.meta.url).pathname

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

/** For commands: a migrated database and a context of the operator, whose shell it is. */
export async function withContext<Result>(
  work: (ctx: Context, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = { ...readConfig(), logLevel: 'error', databasePoolSize: 2 }
  const database = await openDatabase(config)
  try {
    await migrate(database.url, MIGRATIONS_FOLDER)
    const base = openBase({ config, databaseUrl: database.url, ports: openPorts(config) })
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
