import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#adapters/postgres/embedded.ts'
import { LEASE_MS } from '#platform/jobs/limits.ts'
import { migrate } from '#platform/database/migrate.ts'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { startProgram } from '#test/command-line.ts'
import type { TestDatabase } from '#test/database.ts'
import { eventually } from '#test/eventually.ts'
import { randomNumbers } from '#test/random.ts'
import { full } from '#test/tier.ts'
import { shownTrace, type StoredEntry } from './trace-format.ts'

// A few of them show that it works; the long run is that of the full tier.
const RUNS = Number(process.env.RUNS ?? (full ? 1_000 : 10))
const KILLS = Math.ceil(RUNS / 10)
const RESTARTS = Math.ceil(RUNS / 50)
const WORKERS = 2
const LIFE_MS_MAX = 700
vi.setConfig({ testTimeout: 120_000 + RUNS * 1_000, hookTimeout: 120_000 })

const task = (title: string) => ({ type: 'action', action: 'create_task', title: `{{lastName}} ${title}` })
/** Ten nodes that do something, wait, branch and turn. */
const NODES = [
  task('A'),
  { type: 'condition', field: 'lead.last_name', op: 'exists', then: [task('B')] },
  {
    type: 'split',
    paths: [
      { name: 'C', nodes: [{ type: 'delay', delay: '1s' }, task('C')] },
      { name: 'D', nodes: [task('D')] },
    ],
  },
  { type: 'loop', times: 2, nodes: [task('E')] },
]
const TASKS = ['A', 'B', 'C', 'D', 'E', 'E']
/** What a whole trace says, whatever happened meanwhile; the order of paths at the same time is left open. */
const TRACE = [
  'nodes[0] done',
  'nodes[1] yes',
  'nodes[1].then[0] done',
  'nodes[2] done',
  'nodes[2].paths[0].nodes[0] waiting',
  'nodes[2].paths[0].nodes[0] done',
  'nodes[2].paths[0].nodes[1] done',
  'nodes[2].paths[1].nodes[0] done',
  'nodes[3] done',
  'nodes[3].nodes[0] done',
  'nodes[3].nodes[0] done',
].toSorted()

const folder = await mkdtemp(join(tmpdir(), 'rapport-runs-'))
let server: EmbeddedPostgres
let database: TestDatabase
let app: TestApp
let ada: Person

beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir: folder, log: () => {} })
  await migrate(server.url, new URL('../../../migrations/', import.meta.url).pathname)
  const owner = new pg.Pool({ connectionString: server.url, max: 2 })
  owner.on('error', () => {})
  const query = async (text: string, values?: unknown[]) => (await owner.query(text, values)).rows
  database = {
    url: server.url,
    loginUrl: server.url,
    onWorkers: async () => [],
    query: query as TestDatabase['query'],
    drop: () => owner.end(),
  }
  app = await startApp({ database, role: 'api' })
  ada = await app.person()
})
afterAll(async () => {
  await app.close()
  await database.drop()
  await server.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
})

test(`${RUNS} runs, ${KILLS} times kill -9 of a worker and ${RESTARTS} times of the database: each ends, each effect once, each trace whole`, async () => {
  const api = await ada.key()
  const made = await api.post('/api/crm/workflows', { name: 'Lab', trigger: 'lead.created', nodes: NODES })
  expect(made.status).toBe(201)
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => startChild()))
  const kills = killAgainAndAgain(workers)
  for (let n = 0; n < RUNS; n++) {
    const once = { 'idempotency-key': `lead ${n}` }
    await insist(() => api.post('/api/crm/leads', { last_name: `L${n}` }, once))
  }
  await kills
  for (const worker of workers) await kill(worker)
  const last = await startChild(LEASE_MS)
  await eventually(async () => expect(await count(`status = 'DONE'`)).toBe(RUNS), 60_000 + RUNS * 200)
  await kill(last)

  expect(await count('true')).toBe(RUNS)
  const tasks = await database.query<{ title: string }>('select title from tasks')
  const byLead = Map.groupBy(tasks, ({ title }) => title.split(' ')[0]!)
  expect(byLead.size).toBe(RUNS)
  for (const list of byLead.values())
    expect(list.map(({ title }) => title.split(' ')[1]).toSorted()).toEqual(TASKS)
  const parts = await database.query<{ run_id: string; entries: StoredEntry[] }>(
    `select run_id, entries from workflow_traces
     union all select id, trace::jsonb from workflow_runs where trace is not null`,
  )
  const traces = Map.groupBy(parts, ({ run_id }) => run_id)
  expect(traces.size).toBe(RUNS)
  for (const list of traces.values())
    expect(
      list
        .flatMap(({ entries }) => shownTrace(entries).map(({ path, outcome }) => `${path} ${outcome}`))
        .toSorted(),
    ).toEqual(TRACE)
  process.stdout.write(
    `${RUNS} runs, ${KILLS} kills, ${RESTARTS} restarts of the database: ${tasks.length} tasks of ${RUNS * TASKS.length}, none twice\n`,
  )
})

async function killAgainAndAgain(workers: ChildProcess[]): Promise<void> {
  const random = randomNumbers()
  for (let killed = 0; killed < KILLS; killed++) {
    const at = killed % WORKERS
    await told.get(workers[at]!)
    await sleep(random() * LIFE_MS_MAX)
    await kill(workers[at]!)
    workers[at] = await startChild()
    if (killed % Math.ceil(KILLS / RESTARTS) === 0) process.kill(server.pid, 'SIGKILL')
  }
}

/** Whoever adds a lead while the database is away tries again, with the key that makes it one lead. */
async function insist(ask: () => Promise<{ status: number }>): Promise<void> {
  await eventually(async () => expect((await ask()).status).toBe(201), 30_000)
}

async function count(where: string): Promise<number> {
  const [row] = await database.query<{ count: string }>(`select count(*) from workflow_runs where ${where}`)
  return Number(row!.count)
}

/** One whose clock is ahead by a lease takes up at once whatever the dead had in hand. */
async function startChild(aheadMs = 0): Promise<ChildProcess> {
  const file = new URL('./worker.child.ts', import.meta.url).pathname
  const words = [server.url, folder, String(aheadMs)]
  const child = await startProgram(file, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  told.set(child, Promise.race([once(child.stdout!, 'data'), once(child, 'exit')]))
  return child
}

const told = new WeakMap<ChildProcess, Promise<unknown>>()

/** It has left the database when this is over. */
async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
