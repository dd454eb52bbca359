import { pino } from 'pino'
import { sql } from 'kysely'
import { afterAll, onTestFinished, vi } from 'vitest'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { startChangeFeed } from '../changes.ts'
import { FakeClock, type Clock } from '../clock.ts'
import { systemContext, type Context, type Runtime } from '../context.ts'
import type { Statement } from '../database/flush.ts'
import { openPool, type Pool } from '../database/pool.ts'
import { createRegistry, type JobDefinition, type Reaction, type ScheduledJob } from '../registry.ts'
import { enqueue, insertJobs, jobRow, type Job, type JobRow } from './queue.ts'
import { raw } from '../database/tables.ts'
import { startWorker, type Worker, type WorkerOptions } from './worker.ts'
import { testPorts } from '#test/ports.ts'
import { plainSettings } from '#test/settings.ts'

/** Long enough for a loaded machine; what is waited for comes in milliseconds. */
export const PATIENCE = { timeout: 20_000, interval: 15 }
const CLOSE_TIMEOUT_MS = 10_000

export const teams = [
  '65e2f0000000000000000001',
  '65e2f0000000000000000002',
  '65e2f0000000000000000003',
] as const

export type Stage = {
  database: TestDatabase
  clock: FakeClock
  /** A process of its own: a pool, a registry, the shared clock. */
  runtime(definitions?: readonly JobDefinition[], options?: RuntimeOptions): Runtime
  worker(runtime: Runtime, options?: WorkerOptions): Worker
  jobs(): Promise<JobRow[]>
  /** Which jobs left an effect, once per effect. */
  effects(): Promise<string[]>
}

export type RuntimeOptions = { poolSize?: number; clock?: Clock } & Partial<Parts>
type Parts = { reactions: readonly Reaction[]; scheduled: readonly ScheduledJob[] }

/** One database for each test file; every stage begins with empty tables. */
let database: TestDatabase | undefined
afterAll(async () => {
  await database?.drop()
  database = undefined
})

/** Tables, a clock, and a table `effects` in which handlers leave their trace. All is closed when the test ends. */
export async function openStage(): Promise<Stage> {
  database ??= await createStageDatabase()
  const { query, loginUrl: url } = database
  await query('truncate jobs, events, changes, effects, installation, schedules, schedule_runs')
  const clock = new FakeClock()
  const workers: Worker[] = []
  const runtimes: Runtime[] = []
  onTestFinished(async () => {
    await Promise.all(workers.map(worker => worker.stop()))
    for (const runtime of runtimes) runtime.changes.stop()
    await Promise.all(runtimes.map(runtime => runtime.pool.close()))
  }, CLOSE_TIMEOUT_MS)
  return {
    database,
    clock,
    runtime(definitions = [], options = {}) {
      const pool = openPool({ url, size: options.poolSize ?? 16, onError: () => {} })
      const runtime = makeRuntime(pool, options.clock ?? clock, { jobs: definitions, ...options })
      runtimes.push(runtime)
      return runtime
    },
    worker(runtime, options) {
      const worker = startWorker(runtime, { pollMs: 5, ...options })
      runtime.wakeWorker = () => worker.wake()
      workers.push(worker)
      return worker
    },
    jobs: () => query<JobRow>('select * from jobs order by created_at, id'),
    effects: async () =>
      (await query<{ job_id: string }>('select job_id from effects')).map(row => row.job_id),
  }
}

async function createStageDatabase(): Promise<TestDatabase> {
  const database = await createDatabase()
  await database.query('create table effects (job_id text not null, note text)')
  await database.query('grant select, insert on effects to rapport_app')
  return database
}

function makeRuntime(
  pool: Runtime['pool'],
  clock: Clock,
  parts: Partial<Parts> & { jobs: readonly JobDefinition[] },
): Runtime {
  const { jobs, reactions = [], scheduled = [] } = parts
  const runtime: Runtime = {
    pool,
    clock,
    log: pino({ level: 'silent' }),
    registry: createRegistry({ jobs, reactions, scheduled, sweeps: [] }),
    settings: plainSettings,
    ports: testPorts(),
    wakeWorker: () => {},
    changes: undefined as never,
    windows: undefined as never,
  }
  runtime.changes = startChangeFeed(runtime)
  return runtime
}

type NewJob = Parameters<typeof enqueue>[1]

/** Enqueued and committed; answers the id. */
export async function add(runtime: Runtime, job: NewJob, team: string = teams[0]): Promise<string> {
  return systemContext(runtime, team).transaction(async ctx => enqueue(ctx, job))
}

export async function addMany(
  runtime: Runtime,
  count: number,
  job: NewJob,
  team: string = teams[0],
): Promise<string[]> {
  return systemContext(runtime, team).transaction(async ctx => {
    const rows = Array.from({ length: count }, () => jobRow(ctx, job))
    ctx.later(insertJobs(rows))
    return rows.map(row => row.id)
  })
}

export function leaveEffect(ctx: Context, job: Job, note: string | null = null): void {
  ctx.later(raw(sql`insert into effects (job_id, note) values (${job.id}, ${note})`))
}

/** A pool that holds answers back on connections that somebody keeps, as a worker does; what was asked has happened by then. */
export function holdAnswers(
  pool: Pool,
  hold: (statements: readonly Statement[]) => Promise<unknown> | void,
): Pool {
  return {
    ...pool,
    async checkOut() {
      const checkout = await pool.checkOut()
      return {
        ...checkout,
        async flush(statements) {
          const answers = await checkout.flush(statements)
          await hold(statements)
          return answers
        },
      }
    },
  }
}

/** A gate that handlers wait at, so that a test decides what happens before and after. */
export function makeGate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { passed: promise, open: resolve }
}

export async function until<Result>(condition: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(async () => {
    const result = await condition()
    if (!result) throw new Error(`not yet: ${condition}`)
    return result
  }, PATIENCE)
}
