import { existsSync } from 'node:fs'
import { readConfig, unknownVariables, type Config } from '#config'
import { createSigninLink } from '#domains/identity/links.ts'
import { findOperator } from '#domains/identity/people.ts'
import { systemContext } from '#platform/context.ts'
import { migrate } from '#platform/database/migrate.ts'
import { useDatabase } from '#platform/database/usage.ts'
import { isHeld } from '#platform/hold.ts'
import { giveBackMemory } from '#platform/memory.ts'
import { loadDemo, OPERATOR_EMAIL } from '../demo/demo.ts'
import { startProcess, type Role, type Running } from '../process.ts'
import { UsageError, type Values } from './command.ts'
import { openChainOfDemo, type DemoChain } from './demo-chain.ts'
import { openPorts } from './ports.ts'
import { MIGRATIONS_FOLDER, openDatabase, openWorking, type Database } from './database.ts'

const WEB_FOLDER = new URL('../../dist/web', import.meta.url).pathname
const SHUTDOWN_TIMEOUT_MS = 9_000
/** One Ctrl-C reaches this process twice under npm: from the terminal and from npm. */
const SAME_SIGNAL_MS = 1_000

export async function run(values: Values): Promise<void> {
  const role = values.role ?? 'all'
  if (!['all', 'api', 'worker'].includes(role))
    throw new UsageError(`--role must be all, api or worker, not ${role}.`)
  const config = readConfig()
  // From the first moment on: a signal that comes while it starts stops it as cleanly as any later one.
  const asked = stopSignal()
  for (const name of unknownVariables()) console.warn(`${name} is set, but Rapport has no such variable.`)
  const database = await openDatabase(config, line => config.logLevel === 'debug' && console.log(line))
  try {
    await serve(config, role as Role, database, asked)
  } finally {
    await database.close()
  }
}

async function serve(given: Config, role: Role, database: Database, asked: Promise<string>): Promise<void> {
  const usage = await useDatabase(database.url)
  let chain: DemoChain | undefined
  try {
    const applied = await migrate(database.url, MIGRATIONS_FOLDER)
    const withDemo = role === 'all' && !given.production && applied.includes('0001_platform.sql')
    chain = role === 'all' ? await openChainOfDemo(given, withDemo) : undefined
    const config = chain ? { ...given, chain: chain.settings } : given
    const web = existsSync(`${WEB_FOLDER}/index.html`) ? { webFolder: WEB_FOLDER } : {}
    const running = await startProcess({
      config,
      ...(await openWorking(config, database)),
      ports: openPorts(config),
      role,
      ...web,
    })
    if (withDemo) await loadDemo(running.runtime)
    checkChain(running)
    giveBackMemory()
    await announce(config, role, database, running, chain?.words)
    await untilStopped(running, asked, config.shutdownDrainMs)
  } finally {
    await chain?.close()
    await usage.end()
  }
}

/** Nobody waits for it: what is wrong with the chain is said while everything else works. */
function checkChain({ runtime: { ports, log } }: Running): void {
  void ports.chain
    ?.check()
    .catch(error => log.error({ err: error }, 'the chain does not match the configuration'))
}

async function announce(
  config: Config,
  role: string,
  database: Database,
  running: Running,
  chain: string | undefined,
): Promise<void> {
  const ctx = systemContext(running.runtime)
  console.log(`
Rapport is running.

  ${role === 'worker' ? 'health ' : 'address'}   ${config.baseUrl}
  role      ${role}${config.scheduler && role !== 'api' ? ', with the scheduler' : ''}
  database  ${database.embedded ? `embedded PostgreSQL in ${config.dataDir}` : 'DATABASE_URL'}`)
  if (chain) console.log(chain)
  if (await isHeld(ctx))
    console.log('  on hold   nothing is sent after a restore: run rapport release to resume')
  if (role === 'worker') return
  const operator = (await findOperator(ctx))?.email ?? (config.production ? undefined : OPERATOR_EMAIL)
  if (config.production || !operator)
    console.log('\nSign in: npx rapport signin-link --email you@example.com\n')
  else
    console.log(
      `\nSign in as ${operator} (one-time link, valid for one hour):\n\n  ${await createSigninLink(ctx, operator)}\n\nCtrl-C stops everything.\n`,
    )
}

function stopSignal(): Promise<string> {
  return new Promise(resolve => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
}

/** SIGTERM or Ctrl-C: stop taking work, finish or hand back what is in hand, leave. A second signal does not wait. */
async function untilStopped(running: Running, asked: Promise<string>, drainMs: number): Promise<void> {
  const signal = await asked
  const since = performance.now()
  for (const again of ['SIGTERM', 'SIGINT']) {
    process.on(again, () => {
      if (performance.now() - since > SAME_SIGNAL_MS) process.exit(1)
    })
  }
  running.runtime.log.info({ signal }, 'stopping')
  const impatient = setTimeout(() => {
    running.runtime.log.error('running jobs did not finish in time')
    process.exit(1)
  }, drainMs + SHUTDOWN_TIMEOUT_MS)
  // It watches over what is closed after this, too, and keeps nothing alive.
  impatient.unref()
  await running.stop()
}
