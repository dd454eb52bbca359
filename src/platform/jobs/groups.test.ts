import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { job, jobForMany, on } from '../registry.ts'
import { defineEvent, record } from '../events.ts'
import { t } from '../contract.ts'
import { systemContext, type Context } from '../context.ts'
import { add, addMany, leaveEffect, makeGate, openStage, teams, until } from './jobs.harness.ts'
import { GROUP_MAX, GROUP_TIME_MS, LARGE_GROUP, LARGE_GROUPS_AT_ONCE, LEASE_MS } from './limits.ts'
import { Pace } from './pace.ts'
import { type Job } from './queue.ts'
import { atOnce } from '../database/at-once.ts'
import { raw } from '../database/tables.ts'

/** However busy the machine, jobs count as quick. */
const quick = { groupTimeMs: 60_000 }

/** In which transaction each effect was left: jobs that shared one have the same. */
async function transactionsOf(query: (text: string) => Promise<{ xmin: string; count: number }[]>) {
  return query('select xmin::text, count(*)::int from effects group by xmin::text')
}

test('quick jobs of one kind and team come to share transactions, and each leaves its effect once', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([job('note', {}, async (ctx, job) => leaveEffect(ctx, job))])
  const ids = await addMany(runtime, 2_000, { kind: 'note' })
  const worker = stage.worker(runtime, { ...quick, concurrency: 2 })
  await until(() => worker.stats().done === 2_000)
  expect((await stage.effects()).toSorted()).toEqual(ids.toSorted())
  const shared = await transactionsOf(stage.database.query)
  expect(shared.length).toBeLessThan(1_000)
  expect(Math.max(...shared.map(row => row.count))).toBeLessThanOrEqual(GROUP_MAX)
})

test('jobs of a kind that wants to be alone share none, however quick they are', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([job('note', { alone: true }, async (ctx, job) => leaveEffect(ctx, job))])
  await addMany(runtime, 300, { kind: 'note' })
  const worker = stage.worker(runtime, { concurrency: 2 })
  await until(() => worker.stats().done === 300)
  expect(await transactionsOf(stage.database.query)).toHaveLength(300)
})

test('jobs of different teams never share a transaction', async () => {
  const stage = await openStage()
  const note = job('note', {}, async (ctx: Context, job: Job) => leaveEffect(ctx, job, ctx.team_id))
  const runtime = stage.runtime([note])
  for (let round = 0; round < 10; round++)
    for (const team of teams) await addMany(runtime, 40, { kind: 'note' }, team)
  const worker = stage.worker(runtime, { concurrency: 2 })
  await until(() => worker.stats().done === 1_200)
  const mixed = await stage.database.query(
    'select xmin::text from effects group by xmin::text having count(distinct note) > 1',
  )
  expect(mixed).toEqual([])
})

test('one poisoned job among many fails alone, and the others leave their effect once', async () => {
  const stage = await openStage()
  const calls = new Map<string, number>()
  const picky = job('picky', {}, async (ctx, job) => {
    calls.set(job.id, (calls.get(job.id) ?? 0) + 1)
    leaveEffect(ctx, job)
    if (job.data === 'throws') throw new Error('poison')
    if (job.data === 'breaks the statement') ctx.later(raw(sql`insert into effects (job_id) values (null)`))
    if (job.data === 'hides it') await ctx.all(raw(sql`select 1 / 0`)).catch(() => {})
  })
  const runtime = stage.runtime([picky])
  const good = [...(await addMany(runtime, 300, { kind: 'picky' }))]
  const bad: string[] = []
  for (const data of ['throws', 'breaks the statement', 'hides it']) {
    bad.push(await add(runtime, { kind: 'picky', data }))
    good.push(...(await addMany(runtime, 300, { kind: 'picky' })))
  }
  const worker = stage.worker(runtime, { concurrency: 2 })
  await until(() => worker.stats().done === 1_200 && worker.stats().failed === 3)
  expect((await stage.effects()).toSorted()).toEqual(good.toSorted())
  expect((await stage.jobs()).map(job => [job.id, job.attempts, job.state])).toEqual(
    bad.map(id => [id, 1, 'ready']),
  )
  // Nobody is called more than twice: once in the group that failed, once alone.
  expect(Math.max(...calls.values())).toBeLessThanOrEqual(2)
})

test('a group that outlived its lease writes nothing, and the jobs it did not lose are run alone', async () => {
  const stage = await openStage()
  const gate = makeGate()
  const inGroup: string[] = []
  let waiting = false
  const note = job('note', {}, async (ctx, job) => {
    leaveEffect(ctx, job)
    if (job.data !== 'group') return
    inGroup.push(job.id)
    if (waiting || inGroup.length < 3) return
    waiting = true
    await gate.passed
  })
  const runtime = stage.runtime([note])
  // The kind proves to be quick first.
  await addMany(runtime, 100, { kind: 'note' })
  const worker = stage.worker(runtime, { ...quick, concurrency: 1, heartbeatMs: 3_600_000 })
  await until(() => worker.stats().done === 100)
  const ids = await addMany(runtime, 10, { kind: 'note', data: 'group' })
  await until(() => waiting)
  const [stolen] = inGroup
  await stage.database.query('update jobs set owner = $1 where id = $2', ['thief', stolen])
  gate.open()
  await until(() => worker.stats().failed === 1 && worker.stats().done === 109)
  expect(await stage.effects()).not.toContain(stolen)
  expect((await stage.jobs()).map(job => [job.id, job.owner])).toEqual([[stolen, 'thief']])
  expect(new Set(await stage.effects()).size).toBe(109)
  expect(await stage.effects()).toHaveLength(109)
  stage.clock.advance(LEASE_MS)
  await until(() => worker.stats().done === 110)
  expect((await stage.effects()).filter(id => ids.includes(id)).toSorted()).toEqual(ids.toSorted())
})

test('a group that is stopped in the middle hands back what failed with it', async () => {
  const stage = await openStage()
  const gate = makeGate()
  let waiting = false
  const note = job('note', {}, async (ctx, job) => {
    leaveEffect(ctx, job)
    if (job.data !== 'group') return
    waiting = true
    await gate.passed
    throw new Error('poison')
  })
  const runtime = stage.runtime([note])
  await addMany(runtime, 100, { kind: 'note' })
  const worker = stage.worker(runtime, { ...quick, concurrency: 1 })
  await until(() => worker.stats().done === 100)
  await addMany(runtime, 10, { kind: 'note', data: 'group' })
  await until(() => waiting)
  const stopped = worker.stop()
  gate.open()
  await stopped
  const left = await stage.jobs()
  expect(left).toHaveLength(10)
  expect(left.every(job => job.owner === null && job.attempts === 0)).toBe(true)
  expect(await stage.effects()).toHaveLength(100)
})

test('events that a group records keep the job that caused each', async () => {
  const stage = await openStage()
  const happened = defineEvent('test.happened', t.Object({}))
  const causing = job(
    'causing',
    {},
    async (ctx, job) => void record(ctx, happened, { kind: 'job', id: job.id }, {}),
  )
  const runtime = stage.runtime([causing])
  const ids = await addMany(runtime, 500, { kind: 'causing' })
  const worker = stage.worker(runtime, { concurrency: 1 })
  await until(() => worker.stats().done === 500)
  const events = await stage.database.query<{ subject_id: string; request_id: string }>(
    'select subject_id, request_id from events',
  )
  expect(events.map(event => event.subject_id).toSorted()).toEqual(ids.toSorted())
  expect(events.every(event => event.request_id === `job-${event.subject_id}`)).toBe(true)
})

const arrived = defineEvent('test.arrived', t.Object({ n: t.Integer() }))

test('each reaction runs once for each event, and what it reads is that event', async () => {
  const stage = await openStage()
  const seen: string[] = []
  const reactions = ['first', 'second'].map(name =>
    on(arrived, name, async (ctx, event) => {
      seen.push(`${name} ${event.data.n}`)
      ctx.later(raw(sql`insert into effects (job_id, note) values (${event.id}, ${name})`))
    }),
  )
  const runtimes = [stage.runtime([], { reactions }), stage.runtime([], { reactions })]
  const ctx = systemContext(runtimes[0]!, teams[0])
  const workers = runtimes.map(runtime => stage.worker(runtime))
  for (let n = 0; n < 50; n++) {
    await ctx.transaction(async ctx => void record(ctx, arrived, { kind: 'thing', id: ctx.newId() }, { n }))
  }
  await until(() => workers[0]!.stats().done + workers[1]!.stats().done === 100)
  const expected = Array.from({ length: 50 }, (_, n) => [`first ${n}`, `second ${n}`]).flat()
  expect(seen.toSorted()).toEqual(expected.toSorted())
  expect(
    await stage.database.query('select job_id, note from effects group by 1, 2 having count(*) > 1'),
  ).toEqual([])
  expect(await stage.effects()).toHaveLength(100)
})

describe('reactions that go side by side', () => {
  const THINGS = 5

  /** Events about a few things, each told of many times; those that share a transaction have the same `xmin`. */
  async function reactTo(count: number, run: (n: number) => Promise<void> | void) {
    const stage = await openStage()
    const write = atOnce<{ job_id: string; note: string }, void>(async (ctx, rows) => {
      const [ids, notes] = [rows.map(row => row.job_id), rows.map(row => row.note)]
      ctx.later(raw(sql`insert into effects select * from unnest(${ids}::text[], ${notes}::text[])`))
      return []
    })
    const reaction = on(
      arrived,
      'aside',
      async (ctx, { id, subject_id, data }) => {
        await write(ctx, { job_id: id, note: subject_id })
        await run(data.n)
      },
      { sideBySide: event => [event.subject_id] },
    )
    const runtime = stage.runtime([], { reactions: [reaction] })
    await systemContext(runtime, teams[0]).transaction(async ctx => {
      for (let n = 0; n < count; n++)
        record(ctx, arrived, { kind: 'thing', id: `thing ${n % THINGS}` }, { n })
    })
    const worker = stage.worker(runtime, { concurrency: 1 })
    await until(() => worker.stats().done + worker.stats().failed === count)
    const shared = await stage.database.query<{ xmin: string; things: number; count: number }>(
      'select xmin::text, count(*)::int, count(distinct note)::int as things from effects group by xmin::text',
    )
    return { stage, worker, shared }
  }

  test('share transactions where they have nothing in common, and leave an effect each', async () => {
    const { stage, shared } = await reactTo(500, () => {})
    expect(new Set(await stage.effects()).size).toBe(500)
    expect(await stage.effects()).toHaveLength(500)
    expect(Math.max(...shared.map(({ count }) => count))).toBe(THINGS)
    expect(shared.every(({ things, count }) => things === count)).toBe(true)
    expect(await stage.jobs()).toEqual([])
  })

  test('that fail, fail alone, and the others leave their effect once', async () => {
    const { stage, worker } = await reactTo(100, n => {
      if (n === 42) throw new Error('poison')
    })
    expect(worker.stats()).toMatchObject({ done: 99, failed: 1 })
    expect(new Set(await stage.effects()).size).toBe(99)
    expect(await stage.effects()).toHaveLength(99)
  })
})

test('of large groups a few run at once, and what goes alone passes by those that wait for them', async () => {
  const stage = await openStage()
  const gate = makeGate()
  const begun: number[] = []
  const bulk = jobForMany('bulk', {}, async (ctx, jobs) => {
    begun.push(jobs.length)
    for (const job of jobs) leaveEffect(ctx, job)
    await gate.passed
  })
  let alone = 0
  const runtime = stage.runtime([bulk, job('single', {}, async () => void alone++)])
  const ids: string[] = []
  const worker = stage.worker(runtime)
  for (let groups = 1; groups <= LARGE_GROUPS_AT_ONCE; groups++) {
    ids.push(...(await addMany(runtime, LARGE_GROUP, { kind: 'bulk' })))
    await until(() => begun.length === groups)
  }
  ids.push(...(await addMany(runtime, 3, { kind: 'bulk' })))
  await addMany(runtime, 3, { kind: 'single' })
  await until(() => alone === 3)
  expect(begun).toEqual(Array.from({ length: LARGE_GROUPS_AT_ONCE }, () => LARGE_GROUP))
  gate.open()
  await until(() => worker.stats().done === ids.length + 3)
  expect((await stage.effects()).toSorted()).toEqual(ids.toSorted())
})

test('an event whose transaction rolls back causes no reaction, ever', async () => {
  const stage = await openStage()
  const seen: number[] = []
  const reactions = [on(arrived, 'once', async (_, event) => void seen.push(event.data.n))]
  const runtime = stage.runtime([], { reactions })
  const ctx = systemContext(runtime, teams[0])
  const worker = stage.worker(runtime)
  const failing = ctx.transaction(async ctx => {
    record(ctx, arrived, { kind: 'thing', id: ctx.newId() }, { n: 1 })
    await ctx.all(raw(sql`select 1`))
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  // Its own write fails at the commit, after the event and the job were sent.
  const refused = ctx.transaction(async ctx => {
    record(ctx, arrived, { kind: 'thing', id: ctx.newId() }, { n: 2 })
    ctx.beforeCommit(() => [raw(sql`select 1 / 0`)])
  })
  await expect(refused).rejects.toThrow('division by zero')
  await ctx.transaction(async ctx => void record(ctx, arrived, { kind: 'thing', id: ctx.newId() }, { n: 3 }))
  await until(() => worker.stats().done === 1)
  expect(seen).toEqual([3])
  expect(await stage.database.query('select from events')).toHaveLength(1)
  expect(await stage.jobs()).toEqual([])
})

test('a kind begins alone, shares when it is quick, and begins alone again after a failure', () => {
  const pace = new Pace()
  expect(pace.groupSize('quick')).toBe(1)
  for (let jobs = 0; jobs < 50; jobs++) pace.note('quick', 1, 0.1)
  expect(pace.groupSize('quick')).toBe(GROUP_MAX)
  pace.failed('quick')
  expect(pace.groupSize('quick')).toBe(1)
  for (let jobs = 0; jobs < 50; jobs++) pace.note('slow', 1, GROUP_TIME_MS * 2)
  expect(pace.groupSize('slow')).toBe(1)
  for (let jobs = 0; jobs < 50; jobs++) pace.note('middling', 10, GROUP_TIME_MS)
  expect(pace.groupSize('middling')).toBeGreaterThan(5)
  expect(pace.groupSize('middling')).toBeLessThanOrEqual(10)
})
