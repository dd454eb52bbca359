/**
 * The product on Citus (a coordinator and two workers) against the product on one PostgreSQL, on this machine, in turns. Prints how
 * the requests per second compare, and how much processor time of all servers a request takes. Then the statements of one team
 * alone: on one PostgreSQL, through the coordinator, and sent to the node of the team. Run it with `npm run bench:citus`; it needs
 * Citus and says so.
 */
import autocannon from 'autocannon'
import pg from 'pg'
import { createLead } from '#domains/leads/service.ts'
import { listLeads } from '#domains/leads/listing.ts'
import { systemContext, type Context } from '#platform/context.ts'
import { readConfig } from '#config'
import type { Statement } from '#platform/database/flush.ts'
import { migrate } from '#platform/database/migrate.ts'
import { fixRoles, placeTables } from '#platform/database/places.ts'
import { openPool, type Pool } from '#platform/database/pool.ts'
import { CITUS_MISSING, findCitus, startCitus, type CitusCluster } from '../scripts/citus.mjs'
import { cpuOfProcess, cpuOfServer } from './support/cpu.ts'
import { fillTeams, type FilledTeam } from './support/leads.ts'
import { openPorts } from '../src/commands/ports.ts'
import { openBase } from '../src/process.ts'
import { median, onStage, type Stage, type Target } from './support/stage.ts'

const CONNECTIONS = 32
const LEADS_PER_TEAM = 2_000
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const ROUND_S = Number(process.env.ROUND_S ?? 4)
const STATEMENTS = 200
const RATIO_MIN = 0.8
const MIGRATIONS = new URL('../migrations/', import.meta.url).pathname
const NAME = 'rapport'
/** As an installation runs them: what is committed is on the disk. */
const SETTINGS = { fsync: 'on', full_page_writes: 'on', 'citus.shard_count': 8 }

if (findCitus()) await onStage(benchCitus)
else console.error(CITUS_MISSING)

type Side = { product: Target; servers: pg.Client[]; teams: FilledTeam[]; cluster: CitusCluster }
type Load = { path: string; method: 'GET' | 'POST'; body?: string }
type Measured = { perSecond: number; serverMs: number; coordinatorMs: number; productMs: number }

async function benchCitus(stage: Stage): Promise<void> {
  const clusters: CitusCluster[] = []
  const clients: pg.Client[] = []
  try {
    for (const teams of [1, 16]) {
      const one = await open(stage, teams, false, clusters, clients)
      const three = await open(stage, teams, true, clusters, clients)
      console.log(
        `\n${teams} ${teams === 1 ? 'team' : 'teams'} of ${LEADS_PER_TEAM} leads, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${ROUND_S} s in turns`,
      )
      const body = JSON.stringify({ first_name: 'Bench', last_name: 'Mark', company: 'Bench Co' })
      await compare(stage, { path: '/api/crm/leads?limit=50', method: 'GET' }, one, three)
      await compare(stage, { path: '/api/crm/leads', method: 'POST', body }, one, three)
      for (const { product } of [one, three]) product.child.kill('SIGKILL')
      if (teams === 1) await compareStatements(one, three)
      await Promise.all(clients.splice(0).map(client => client.end()))
      await Promise.all(clusters.splice(0).map(cluster => cluster.stop()))
    }
  } finally {
    await Promise.all(clients.map(client => client.end()))
    await Promise.all(clusters.map(cluster => cluster.stop()))
  }
}

/** The same programs and settings on both sides; one of them without workers and without the extension. */
async function open(
  { serve }: Stage,
  teams: number,
  sharded: boolean,
  clusters: CitusCluster[],
  clients: pg.Client[],
): Promise<Side> {
  const cluster = await startCitus({ workers: sharded ? 2 : 0, settings: SETTINGS })
  clusters.push(cluster)
  if (sharded) await cluster.createDatabase(NAME)
  else await cluster.coordinator.run('postgres', `create database ${NAME}`)
  const url = cluster.coordinator.url(NAME)
  await migrate(url, MIGRATIONS)
  const owner = await connect(url)
  if (sharded) {
    await fixRoles(owner)
    await placeTables(owner)
  }
  await owner.end()
  const filled = await fillTeams(url, teams, LEADS_PER_TEAM)
  const servers = await Promise.all(cluster.nodes.map(node => connect(node.url('postgres'))))
  clients.push(...servers)
  const product = await serve('product', {
    key: filled[0]!.key,
    BENCH_DATABASE_URL: url,
    BENCH_SHARDED: sharded ? 'on' : 'off',
  })
  return { product, servers, teams: filled, cluster }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function compare({ judge }: Stage, load: Load, one: Side, three: Side): Promise<void> {
  for (const side of [one, three]) await run(side, load, 3)
  const rounds: { one: Measured; three: Measured }[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ one: await run(one, load, ROUND_S), three: await run(three, load, ROUND_S) })
  const of = (side: 'one' | 'three', what: keyof Measured) => median(rounds.map(round => round[side][what]))
  for (const [side, name] of [
    ['one', 'one PostgreSQL'],
    ['three', 'three nodes'],
  ] as const)
    console.log(
      `${load.method.padEnd(4)} ${load.path} on ${name}: ${Math.round(of(side, 'perSecond'))}/s, processor time per request: servers ${of(side, 'serverMs').toFixed(2)} ms (the first ${of(side, 'coordinatorMs').toFixed(2)} ms), product ${of(side, 'productMs').toFixed(2)} ms`,
    )
  const ratio = median(rounds.map(round => round.three.perSecond / round.one.perSecond))
  judge('  requests per second, ratio', ratio.toFixed(2), ratio >= RATIO_MIN, `at least ${RATIO_MIN}`)
}

async function run({ product, servers, teams }: Side, load: Load, seconds: number): Promise<Measured> {
  const before = await cpuOf(product, servers)
  const result = await autocannon({
    url: product.url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [{ ...load, setupRequest: request => ({ ...request, headers: headersOf(teams, load) }) }],
  })
  const after = await cpuOf(product, servers)
  const wrong = result.non2xx + result.errors
  if (wrong > 0) throw new Error(`${wrong} requests failed`)
  const { total } = result.requests
  return {
    perSecond: total / result.duration,
    serverMs: ((after.servers - before.servers) * 1_000) / total,
    coordinatorMs: ((after.coordinator - before.coordinator) * 1_000) / total,
    productMs: ((after.product - before.product) * 1_000) / total,
  }
}

/** Any of the teams, as they come in life. */
function headersOf(teams: readonly FilledTeam[], { body }: Load): Record<string, string> {
  const { key } = teams[Math.floor(Math.random() * teams.length)]!
  return { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
}

async function cpuOf(product: Target, servers: readonly pg.Client[]) {
  return {
    servers: await cpuOfAll(servers),
    coordinator: await cpuOfServer(servers[0]!),
    product: await cpuOfProcess(product.child.pid!),
  }
}

/** Statements about tables that only the coordinator knows are left out: a node cannot run them. */
async function compareStatements(one: Side, three: Side): Promise<void> {
  const { team_id } = three.teams[0]!
  const [home] = await three.cluster.coordinator.run<{ port: number }>(
    NAME,
    `select nodeport as port from citus_shards
     where shardid = get_shard_id_for_distribution_column('leads', '${team_id}')`,
  )
  const node = three.cluster.nodes.find(({ port }) => port === home!.port)!
  const places = [
    { name: 'one PostgreSQL', side: one, url: one.cluster.coordinator.url(NAME) },
    { name: 'the coordinator', side: three, url: three.cluster.coordinator.url(NAME) },
    { name: 'the node of the team', side: three, url: node.url(NAME) },
  ]
  console.log(`\nThe statements of one team alone, ${ROUNDS} rounds of ${STATEMENTS} in turns`)
  for (const [what, work] of [
    ['a list of 50 leads', (ctx: Context) => listLeads(ctx, { limit: 50 })],
    ['a lead, its state, its count and its event', (ctx: Context) => createLead(ctx, { last_name: 'Mark' })],
  ] as const) {
    const times = places.map((): { cpu: number; ms: number }[] => [])
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, { side, url }] of places.entries()) {
        const flushes = await statementsOf(side, work)
        const pool = openPool({ url, size: 1, onError: () => {} })
        for (const statements of flushes.splice(0, 10)) await pool.flush(statements)
        const [cpu, since] = [await cpuOfAll(side.servers), performance.now()]
        for (const statements of flushes) await pool.flush(statements)
        times[at]!.push({
          ms: (performance.now() - since) / flushes.length,
          cpu: (((await cpuOfAll(side.servers)) - cpu) * 1_000) / flushes.length,
        })
        await pool.close()
      }
    }
    for (const [at, { name }] of places.entries()) {
      const [cpu, ms] = (['cpu', 'ms'] as const).map(key => median(times[at]!.map(time => time[key])))
      console.log(`${what}, on ${name}: ${ms!.toFixed(2)} ms, processor time ${cpu!.toFixed(2)} ms`)
    }
  }
}

/** What the product would send, without sending it. */
async function statementsOf(side: Side, work: (ctx: Context) => Promise<unknown>): Promise<Statement[][]> {
  const config = readConfig({ DATA_DIR: '/nonexistent', LOG_LEVEL: 'silent' })
  const url = side.cluster.coordinator.url(NAME)
  const base = openBase({ config, databaseUrl: url, ports: openPorts(config) })
  const flushes: Statement[][] = []
  const pool: Pool = {
    ...base.runtime.pool,
    flush: async statements => {
      flushes.push(statements.filter(({ text }) => !/add_listened_jobs|"changes"/.test(text)))
      return statements.map(() => ({ rows: [], rowCount: 0, command: '' }))
    },
  }
  const ctx = systemContext({ ...base.runtime, pool }, side.teams[0]!.team_id)
  for (let count = 0; count < STATEMENTS + 10; count++) await work(ctx)
  await base.close()
  return flushes
}

async function cpuOfAll(servers: readonly pg.Client[]): Promise<number> {
  const each = await Promise.all(servers.map(server => cpuOfServer(server)))
  return each.reduce((sum, seconds) => sum + seconds, 0)
}
