/**
 * The product's queue beside what one would write by hand and beside two libraries, on one server with real fsync, in
 * turns. Prints ratios: machines differ, ratios less so. Run it with `npm run bench:jobs`; it takes about two minutes.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startEmbeddedPostgres } from '#adapters/postgres/embedded.ts'
import { migrate } from '#platform/database/migrate.ts'
import { graphileQueue } from './support/queues/graphile.ts'
import { ourQueue, ourReactions } from './support/queues/ours.ts'
import { pgBossQueue } from './support/queues/pg-boss.ts'
import { CONCURRENCY, type Queue } from './support/queues/queue.ts'
import { rawQueue } from './support/queues/raw.ts'
import type { Stage } from './support/stage.ts'
import type { Result } from './support/result.ts'

const ROUNDS = 3
const SINGLE_JOBS = 1_500
const BULK_CALLS = 10
const BULK_JOBS = 1_000
const REACTIONS = 20_000
const REACTIONS_PER_TRANSACTION = 500
const REACTIONS_PER_S_MIN = 2_000
const SLEEPERS = 1_000_000
const SLEEPING_TEAMS = 1_000
const SLEEPER_ROUNDS = 6
const SLEEPER_JOBS = 10_000
const SLEEPER_SLOWDOWN_MAX = 0.1
const RECOVERY_S_MAX = 15

const MIGRATIONS = fileURLToPath(new URL('../migrations/', import.meta.url))
const CHILD = fileURLToPath(new URL('../src/platform/jobs/worker.child.ts', import.meta.url))

let failed = false
if (import.meta.main) {
  const dataDir = await mkdtemp(join(tmpdir(), 'rapport-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
  try {
    const plain = await createDatabase(postgres.url, 'plain')
    const crowded = await createDatabase(postgres.url, 'crowded')
    await compareQueues(plain, ROUNDS)
    await measureReactions(plain)
    await compareWithSleepers(plain, crowded)
    await measureRecovery(plain)
  } catch (error) {
    failed = true
    console.error(error)
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  process.exitCode = failed ? 1 : 0
}

export async function benchJobs({ databaseUrl }: Stage, { rounds }: { rounds: number }): Promise<Result[]> {
  const url = await createDatabase(databaseUrl, 'plain')
  return [...(await compareQueues(url, rounds)), await measureReactions(url)]
}

type Rates = { single: number; bulk: number; process: number }

/** Each round gives every queue its turn, so that a busy minute of the machine meets all of them. */
async function compareQueues(url: string, roundCount: number): Promise<Result[]> {
  const queues: Queue[] = [
    await rawQueue(url),
    ourQueue(url),
    await graphileQueue(url),
    await pgBossQueue(url),
  ]
  for (const queue of queues) await warmUp(queue)
  const rates = new Map<string, Rates[]>(queues.map(queue => [queue.name, []]))
  for (let round = 0; round < roundCount; round++) {
    for (const queue of queues) rates.get(queue.name)!.push(await measure(queue))
  }
  for (const queue of queues) await queue.close()

  console.log(
    `jobs a second, and as a share of raw FOR UPDATE SKIP LOCKED; ${CONCURRENCY} at a time, median of ${roundCount} rounds\n`,
  )
  console.log(line('', ['one by one', `${BULK_JOBS} at once`, 'processed']))
  const [raw, ours] = [rates.get('raw')!, rates.get('rapport')!]
  for (const [name, rounds] of rates) {
    const cell = (of: keyof Rates) =>
      `${Math.round(median(rounds.map(round => round[of])))}  ${ratio(rounds, raw, of).toFixed(2)}`
    console.log(line(name, [cell('single'), cell('bulk'), cell('process')]))
  }
  console.log()
  for (const other of ['graphile-worker', 'pg-boss']) {
    for (const [of, words] of [
      ['single', 'enqueue one by one'],
      ['bulk', 'enqueue in bulk'],
      ['process', 'process'],
    ] as const) {
      const times = ratio(ours, rates.get(other)!, of)
      judge(`${words}, against ${other}`, `${times.toFixed(2)}×`, times >= 1, 'at least 1×')
    }
  }
  const rate = (of: keyof Rates, rounds: Rates[]) => median(rounds.map(round => round[of]))
  const jobs = [
    ['single', 'Add a job'],
    ['bulk', 'Add 1,000 jobs at once'],
    ['process', 'Run a job'],
  ] as const
  return jobs.map(([of, job]) => ({
    job,
    value: rate(of, ours),
    unit: '/s',
    beside: { what: 'raw FOR UPDATE SKIP LOCKED', value: rate(of, raw), ratio: ratio(ours, raw, of) },
  }))
}

async function warmUp(queue: Queue): Promise<void> {
  await queue.enqueueOne()
  await queue.enqueueMany(BULK_JOBS)
  await queue.drain(BULK_JOBS + 1)
}

async function measure(queue: Queue): Promise<Rates> {
  let left = SINGLE_JOBS
  const single = await seconds(() =>
    Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        while (left-- > 0) await queue.enqueueOne()
      }),
    ),
  )
  const bulk = await seconds(async () => {
    for (let call = 0; call < BULK_CALLS; call++) await queue.enqueueMany(BULK_JOBS)
  })
  const jobs = SINGLE_JOBS + BULK_CALLS * BULK_JOBS
  return {
    single: SINGLE_JOBS / single,
    bulk: (BULK_CALLS * BULK_JOBS) / bulk,
    process: jobs / (await queue.drain(jobs)),
  }
}

async function measureReactions(url: string): Promise<Result> {
  const queue = ourReactions(url)
  for (let at = 0; at < REACTIONS; at += REACTIONS_PER_TRANSACTION)
    await queue.enqueueMany(REACTIONS_PER_TRANSACTION)
  const perSecond = REACTIONS / (await queue.drain(REACTIONS))
  await queue.close()
  judge(
    `a backlog of ${REACTIONS} reactions, one process`,
    `${Math.round(perSecond)}/s`,
    perSecond >= REACTIONS_PER_S_MIN,
    `at least ${REACTIONS_PER_S_MIN}/s`,
  )
  return { job: 'React to an event, from a backlog', value: perSecond, unit: '/s' }
}

/** Two databases of one server, in turns and in changing order. */
async function compareWithSleepers(plain: string, crowded: string): Promise<void> {
  await addSleepers(crowded)
  const [alone, beside] = [ourQueue(plain), ourQueue(crowded)]
  const drain = async (queue: Queue) => {
    for (let at = 0; at < SLEEPER_JOBS; at += BULK_JOBS) await queue.enqueueMany(BULK_JOBS)
    return queue.drain(SLEEPER_JOBS)
  }
  for (const queue of [alone, beside]) await drain(queue)
  const slowdowns: number[] = []
  for (let round = 0; round < SLEEPER_ROUNDS; round++) {
    const first = round % 2 ? beside : alone
    const one = await drain(first)
    const other = await drain(first === alone ? beside : alone)
    slowdowns.push((first === alone ? other / one : one / other) - 1)
  }
  await alone.close()
  await beside.close()
  const slowdown = median(slowdowns)
  const words = `slow-down beside ${SLEEPERS} sleeping jobs of ${SLEEPING_TEAMS} teams`
  judge(
    words,
    `${(slowdown * 100).toFixed(1)} %`,
    slowdown < SLEEPER_SLOWDOWN_MAX,
    `below ${SLEEPER_SLOWDOWN_MAX * 100} %`,
  )
}

async function addSleepers(url: string): Promise<void> {
  await owner(
    url,
    `insert into jobs (id, kind, team_id, run_at)
    select lpad(to_hex(i), 24, '0'), 'sleeper', lpad(to_hex(i % ${SLEEPING_TEAMS}), 24, '5'), now() + interval '1 day' + i * interval '1 second'
    from generate_series(1, ${SLEEPERS}) as i`,
  )
  await owner(url, 'vacuum analyze jobs')
}

/** Another process has jobs in hand and is killed; this one must run them. */
async function measureRecovery(url: string): Promise<void> {
  await owner(url, 'create table effects (job_id text, note text); grant all on effects to rapport_app')
  await owner(
    url,
    `insert into jobs (id, kind, run_at) select lpad(to_hex(i), 24, '0'), 'slow', now() from generate_series(1, 50) as i`,
  )
  const child = spawn(process.execPath, [CHILD, url], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(createInterface({ input: child.stdout }), 'line')
  child.kill('SIGKILL')
  const took = await seconds(async () => {
    await owner(url, `update jobs set kind = 'tiny'`)
    const queue = ourQueue(url)
    await queue.drain(50)
    await queue.close()
  })
  judge(
    "time until a killed worker's jobs have run again",
    `${took.toFixed(1)} s`,
    took <= RECOVERY_S_MAX,
    `at most ${RECOVERY_S_MAX} s`,
  )
}

async function createDatabase(server: string, name: string): Promise<string> {
  await owner(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  await migrate(url.href, MIGRATIONS)
  return url.href
}

async function owner(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/** The median of the rounds' ratios: both sides of each were measured next to one another. */
function ratio(rounds: Rates[], others: Rates[], of: keyof Rates): number {
  return median(rounds.map((round, at) => round[of] / others[at]![of]))
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function line(name: string, cells: string[]): string {
  return name.padEnd(18) + cells.map(cell => cell.padStart(18)).join('')
}

function judge(what: string, value: string, good: boolean, wanted: string): void {
  failed ||= !good
  console.log(`${good ? 'PASS' : 'FAIL'}  ${what}: ${value} (${wanted})`)
}
