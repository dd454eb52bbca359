import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { domains } from '#app'
import { startApp } from '#test/app.ts'
import { client } from '#test/client.ts'
import { FakeClock } from './clock.ts'
import { systemContext, type Context } from './context.ts'
import { makeGate, openStage, until } from './jobs/jobs.harness.ts'
import { raw } from './database/tables.ts'
import type { Counts, ScheduledJob } from './registry.ts'
import { describeSchedule, pruneRuns, runScheduled, startScheduler, tick } from './schedule.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** As in schedule.ts: how long a run may give no sign of life. */
const LEASE_MS = 30_000

function every(cron: string, run: ScheduledJob['run'] = async () => ({}), name = 'tidy'): ScheduledJob {
  return { name, cron, run }
}

/** A job that counts its runs, and a context of each of several processes that have it. */
async function openSchedule(cron: string, { processes = 1, work = async (): Promise<Counts> => ({}) } = {}) {
  const stage = await openStage()
  const runs: string[] = []
  const job = every(cron, async ctx => {
    runs.push(ctx.now())
    return work()
  })
  const contexts = Array.from({ length: processes }, () =>
    systemContext(stage.runtime([], { scheduled: [job] })),
  )
  return { stage, clock: stage.clock, job, runs, ctx: contexts[0]!, contexts }
}

async function outcomes(ctx: Context, job: ScheduledJob) {
  return (await describeSchedule(ctx, job)).last_runs.map(run => run.outcome).toReversed()
}

test('the first start has missed nothing: the first run is at the next slot', async () => {
  const { clock, ctx, job, runs } = await openSchedule('0 * * * *')
  expect(await tick(ctx)).toEqual([])
  clock.set('2026-03-02T09:59:59.999Z')
  expect(await tick(ctx)).toEqual([])
  clock.set('2026-03-02T10:00:00.000Z')
  expect(await tick(ctx)).toMatchObject([
    { job: 'tidy', status: 'done', started_at: '2026-03-02T10:00:00.000Z' },
  ])
  expect(await tick(ctx)).toEqual([])
  expect(runs).toEqual(['2026-03-02T10:00:00.000Z'])
  expect((await describeSchedule(ctx, job)).next_at).toBe('2026-03-02T11:00:00.000Z')
})

test('several schedulers run each slot once', async () => {
  const { clock, contexts, runs } = await openSchedule('* * * * *', { processes: 5 })
  for (let minute = 0; minute < 10; minute++) {
    await Promise.all(contexts.map(tick))
    clock.advance(MINUTE_MS)
    await Promise.all(contexts.flatMap(ctx => [tick(ctx), tick(ctx)]))
  }
  expect(runs).toHaveLength(10)
  expect(new Set(runs).size).toBe(10)
})

test('schedulers whose clocks differ by some minutes run each slot once', async () => {
  const stage = await openStage()
  const fast = { now: () => stage.clock.now() + 4 * MINUTE_MS }
  const slots: string[] = []
  const job = every('*/2 * * * *', async () => ({ run: slots.push('run') }))
  const contexts = [stage.clock, fast].map(clock =>
    systemContext(stage.runtime([], { scheduled: [job], clock })),
  )
  for (let minute = 0; minute < 60; minute++) {
    await tick(contexts[minute % 2]!)
    await tick(contexts[(minute + 1) % 2]!)
    stage.clock.advance(MINUTE_MS)
  }
  expect(slots.length).toBeGreaterThanOrEqual(29)
  expect(slots.length).toBeLessThanOrEqual(31)
})

test('what was missed while nothing ran is caught up once', async () => {
  const { clock, ctx, runs } = await openSchedule('0 * * * *')
  await tick(ctx)
  clock.advance(26 * 60 * MINUTE_MS)
  await tick(ctx)
  await tick(ctx)
  expect(runs).toEqual(['2026-03-03T11:00:00.000Z'])
  clock.advance(60 * MINUTE_MS)
  await tick(ctx)
  expect(runs).toHaveLength(2)
})

test('of overlapping calls one runs, and the others are told that it is running', async () => {
  const gate = makeGate()
  const { contexts, job, runs } = await openSchedule('0 * * * *', {
    processes: 2,
    work: async () => {
      await gate.passed
      return { mails: 3 }
    },
  })
  let told = 0
  const calls = Array.from({ length: 10 }, (_, at) =>
    runScheduled(contexts[at % 2]!, job, 'route').finally(() => told++),
  )
  await until(() => told === 9)
  gate.open()
  const results = await Promise.all(calls)
  expect(results.filter(result => result.status === 'done')).toMatchObject([
    { job: 'tidy', processed: { mails: 3 } },
  ])
  expect(results.filter(result => result.status === 'already_running')).toHaveLength(9)
  expect(runs).toHaveLength(1)
  expect(await runScheduled(contexts[0]!, job, 'route')).toMatchObject({ status: 'done' })
})

test('the route leaves the slots of the scheduler alone', async () => {
  const { clock, ctx, job, runs } = await openSchedule('0 * * * *')
  await tick(ctx)
  await runScheduled(ctx, job, 'route')
  clock.set('2026-03-02T10:00:00.000Z')
  await tick(ctx)
  expect(runs).toHaveLength(2)
  const { last_runs } = await describeSchedule(ctx, job)
  expect(last_runs.map(run => run.started_by)).toEqual(['scheduler', 'route'])
})

test('a run whose process died is taken over once its lease has run out, and is noted as lost', async () => {
  const { clock, contexts, job, runs } = await openSchedule('0 2 * * *', { processes: 2 })
  const [dying, other] = contexts as [Context, Context]
  await tick(dying)
  clock.set('2026-03-03T02:00:00.000Z')
  // Killed right after it took the lease: nothing of the process is left to end the run.
  const hanging: ScheduledJob = { ...job, run: () => new Promise(() => {}) }
  void runScheduled(dying, hanging, 'scheduler')
  await until(async () => (await describeSchedule(other, job)).running)
  clock.advance(LEASE_MS - 1)
  expect(await tick(other)).toEqual([])
  expect(await runScheduled(other, job, 'route')).toMatchObject({
    status: 'already_running',
    started_at: '2026-03-03T02:00:00.000Z',
  })
  clock.advance(1)
  expect(await tick(other)).toMatchObject([{ status: 'done' }])
  expect(runs).toEqual(['2026-03-03T02:00:30.000Z'])
  expect(await outcomes(other, job)).toEqual(['lost', 'done'])
  expect(await tick(other)).toEqual([])
  expect((await describeSchedule(other, job)).next_at).toBe('2026-03-04T02:00:00.000Z')
})

test('a run that outlived its lease is told apart as lost, and does not end the run of the other', async () => {
  const gates = [makeGate(), makeGate()]
  let runs = 0
  const { clock, contexts, job } = await openSchedule('0 * * * *', {
    processes: 2,
    work: async () => {
      const run = runs++
      await gates[run]!.passed
      return { run }
    },
  })
  const [frozen, other] = contexts as [Context, Context]
  const first = runScheduled(frozen, job, 'route')
  await until(() => runs === 1)
  clock.advance(LEASE_MS)
  const second = runScheduled(other, job, 'route')
  await until(() => runs === 2)
  gates[0]!.open()
  await first
  expect(await outcomes(other, job)).toEqual(['lost', 'running'])
  expect(await runScheduled(other, job, 'route')).toMatchObject({ status: 'already_running' })
  gates[1]!.open()
  expect(await second).toMatchObject({ status: 'done', processed: { run: 1 } })
  expect(await outcomes(other, job)).toEqual(['lost', 'done'])
})

test('a heartbeat keeps the lease of a long run, and one that never ends loses it after an hour', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { clock, contexts, job } = await openSchedule('0 2 * * *', {
    processes: 2,
    work: () => new Promise(() => {}),
  })
  const [ctx, other] = contexts as [Context, Context]
  await tick(ctx)
  void runScheduled(ctx, job, 'route')
  await until(async () => (await describeSchedule(other, job)).running)
  const leaseUntil = async () =>
    (await other.first(raw<{ lease_until: string }>(sql`select lease_until from schedules`)))!.lease_until
  for (let beat = 0; beat < 3; beat++) {
    clock.advance(20_000)
    vi.advanceTimersByTime(10_000)
    await until(async () => (await leaseUntil()) === other.in(LEASE_MS))
    expect(await runScheduled(other, job, 'route')).toMatchObject({ status: 'already_running' })
  }
  // The beats of the hour renew it until the same instant, because the clock stands still meanwhile.
  vi.advanceTimersByTime(3_600_000)
  await leaseUntil()
  clock.advance(LEASE_MS)
  vi.advanceTimersByTime(60_000)
  expect(await leaseUntil()).toBe(other.now())
})

test('a failure is noted with its words, told to the caller, and the next slot runs again', async () => {
  let fails = true
  const { clock, ctx, job } = await openSchedule('* * * * *', {
    work: async () => {
      if (fails) throw new Error(`the mail server is away ${'x'.repeat(5_000)}`)
      return { mails: 1 }
    },
  })
  await expect(runScheduled(ctx, job, 'route')).rejects.toThrow('the mail server is away')
  clock.advance(MINUTE_MS)
  expect(await tick(ctx)).toEqual([])
  fails = false
  clock.advance(MINUTE_MS)
  expect(await tick(ctx)).toMatchObject([{ status: 'done', processed: { mails: 1 } }])
  const { last_runs, running } = await describeSchedule(ctx, job)
  expect(running).toBe(false)
  expect(last_runs.map(run => [run.outcome, run.processed, run.error?.slice(0, 23) ?? null])).toEqual([
    ['done', { mails: 1 }, null],
    ['failed', {}, 'the mail server is away'],
    ['failed', {}, 'the mail server is away'],
  ])
  expect(last_runs[1]!.error).toHaveLength(2_000)
})

test('a job that fails or hangs holds up no other', async () => {
  const stage = await openStage()
  const gate = makeGate()
  const ran: string[] = []
  const scheduled = [
    every('* * * * *', () => gate.passed.then(() => ({})), 'hanging'),
    every('* * * * *', () => Promise.reject(new Error('no')), 'failing'),
    every('* * * * *', async () => ({ ran: ran.push('good') }), 'good'),
  ]
  const runtime = stage.runtime([], { scheduled })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const scheduler = startScheduler(runtime)
  onTestFinished(() => void vi.useRealTimers())
  const look = async (minutes: number) => {
    vi.advanceTimersByTime(1_000)
    await until(() => ran.length === minutes)
  }
  await look(0)
  await until(async () => (await stage.database.query('select from schedules')).length === 3)
  for (let minute = 1; minute <= 3; minute++) {
    stage.clock.advance(MINUTE_MS)
    await vi.waitFor(() => look(minute), { timeout: 60_000 })
  }
  let stopped = false
  const stopping = scheduler.stop().then(() => (stopped = true))
  await systemContext(runtime).all(raw(sql`select 1`))
  expect(stopped).toBe(false)
  gate.open()
  await stopping
})

test('when the clock leaps three days ahead, the slots between are caught up once', async () => {
  const { clock, contexts, runs } = await openSchedule('0 2 * * *', { processes: 2 })
  await Promise.all(contexts.map(tick))
  clock.advance(3 * DAY_MS)
  await Promise.all(contexts.map(tick))
  await Promise.all(contexts.map(tick))
  expect(runs).toEqual(['2026-03-05T09:00:00.000Z'])
})

test('when the clock is set back three days, the next slot comes, not the one in three days', async () => {
  const { clock, ctx, job, runs } = await openSchedule('0 2 * * *')
  clock.set('2026-03-05T09:00:00.000Z')
  await tick(ctx)
  expect((await describeSchedule(ctx, job)).next_at).toBe('2026-03-06T02:00:00.000Z')
  clock.advance(-3 * DAY_MS)
  await tick(ctx)
  expect((await describeSchedule(ctx, job)).next_at).toBe('2026-03-03T02:00:00.000Z')
  clock.set('2026-03-03T02:00:00.000Z')
  await tick(ctx)
  await tick(ctx)
  expect(runs).toEqual(['2026-03-03T02:00:00.000Z'])
})

test('a lease that was taken before the clock was set back does not last three days', async () => {
  const { clock, contexts, job, runs } = await openSchedule('0 2 * * *', { processes: 2 })
  const [dying, other] = contexts as [Context, Context]
  await tick(other)
  void runScheduled(dying, { ...job, run: () => new Promise(() => {}) }, 'route')
  await until(async () => (await describeSchedule(other, job)).running)
  clock.advance(-3 * DAY_MS)
  expect(await tick(other)).toMatchObject([{ status: 'done' }])
  expect(runs).toHaveLength(1)
})

test('a release that makes a job run more often is heeded at once', async () => {
  const stage = await openStage()
  const monthly = systemContext(stage.runtime([], { scheduled: [every('0 0 1 * *')] }))
  await tick(monthly)
  const runs: string[] = []
  const job = every('*/10 * * * *', async ctx => ({ runs: runs.push(ctx.now()) }))
  const ctx = systemContext(stage.runtime([], { scheduled: [job] }))
  await tick(ctx)
  stage.clock.set('2026-03-02T09:10:00.000Z')
  await tick(ctx)
  expect(runs).toEqual(['2026-03-02T09:10:00.000Z'])
})

test('leap days and nights with a clock change have their slot once', async () => {
  const { clock, ctx, runs } = await openSchedule('30 2 * * *')
  // The 29th of February, and the nights in which Berlin and New York change their clocks.
  for (const [from, days] of [
    ['2028-02-27T12:00:00.000Z', 4],
    ['2026-03-27T12:00:00.000Z', 4],
    ['2026-10-30T12:00:00.000Z', 4],
  ] as const) {
    clock.set(from)
    await tick(ctx)
    runs.length = 0
    for (let quarter = 0; quarter < days * 96; quarter++) {
      clock.advance(15 * MINUTE_MS)
      await tick(ctx)
    }
    expect(runs.map(at => at.slice(11, 16))).toEqual(Array.from({ length: days }, () => '02:30'))
    expect(new Set(runs).size).toBe(days)
  }
})

test('old runs are forgotten', async () => {
  const { clock, ctx, job } = await openSchedule('0 2 * * *')
  await runScheduled(ctx, job, 'route')
  clock.advance(DAY_MS)
  await runScheduled(ctx, job, 'route')
  expect(await pruneRuns(ctx, ctx.in(-1))).toBe(1)
  expect((await describeSchedule(ctx, job)).last_runs).toHaveLength(1)
})

test('overlapping calls of the route answer one done and else already_running', async () => {
  const gate = makeGate()
  const slow = every('0 0 1 1 *', () => gate.passed.then(() => ({ mails: 2 })), 'slow_job')
  const app = await startApp({
    clock: new FakeClock(),
    domains: [...domains, { name: 'test', endpoints: {}, api: {}, scheduled: [slow] }],
  })
  onTestFinished(() => app.close())
  const cron = client(app.url, { authorization: `Bearer ${app.runtime.settings.cronSecret}` })
  let told = 0
  const call = (at: number) => (at % 2 ? cron.post('/api/cron/slow_job') : cron.get('/api/cron/slow_job'))
  const calls = Array.from({ length: 6 }, (_, at) => call(at).finally(() => told++))
  await until(() => told === 5)
  gate.open()
  const answers = await Promise.all(calls)
  expect(answers.every(answer => answer.status === 200)).toBe(true)
  const [done, ...others] = answers
    .map(answer => answer.body)
    .toSorted((a, b) => (a.status < b.status ? 1 : -1))
  expect(done).toMatchObject({ job: 'slow_job', status: 'done', processed: { mails: 2 } })
  expect(others.map(other => other.status)).toEqual(Array.from({ length: 5 }, () => 'already_running'))
})
