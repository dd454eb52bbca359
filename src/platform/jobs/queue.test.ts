import { expect, test } from 'vitest'
import fc from 'fast-check'
import { systemContext, type Context } from '../context.ts'
import { INSTALLATION_SETTING } from '../database/team-setting.ts'
import { claimDue, claimInTurns } from './claim.ts'
import { add, leaveEffect, openStage, teams, type Stage } from './jobs.harness.ts'
import { backoffMs, LEASE_MS, TEAMS_PER_CLAIM_MAX } from './limits.ts'
import {
  bury,
  completeJobs,
  enqueue,
  extendLeases,
  handBack,
  insertJobs,
  isFenced,
  jobRow,
  retryLater,
  type Job,
} from './queue.ts'

test('claims take what is due in the order it fell due, each row for one claimer', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const ctx = systemContext(runtime)
  const ids: string[] = []
  for (const agoMs of [1_000, 5_000, 3_000])
    ids.push(await add(runtime, { kind: 'a', run_at: ctx.in(-agoMs) }))
  await add(runtime, { kind: 'a', run_at: ctx.in(1) })
  const [first, second] = await Promise.all([
    claimDue(ctx, 'inside', 'one', 2),
    claimDue(ctx, 'inside', 'two', 2),
  ])
  const taken = [...first, ...second].map(job => job.id)
  expect(taken.toSorted()).toEqual(ids.toSorted())
  expect(await claimDue(ctx, 'inside', 'three', 10)).toEqual([])
  expect(await claimDue(ctx, 'outgoing', 'three', 10)).toEqual([])
  stage.clock.advance(LEASE_MS)
  const again = await claimDue(ctx, 'inside', 'four', 10)
  expect(again).toHaveLength(4)
  expect(
    again
      .filter(job => ids.includes(job.id))
      .every(job => job.attempts === 1 && job.lost === 1 && job.owner === 'four'),
  ).toBe(true)
})

test('a row that another transaction is changing is passed over, not waited for', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const ctx = systemContext(runtime)
  const locked = await add(runtime, { kind: 'a' })
  const free = await add(runtime, { kind: 'a' })
  const checkout = await runtime.pool.checkOut()
  await checkout.flush([
    { text: 'begin', values: [] },
    INSTALLATION_SETTING,
    { text: `select from jobs where id = '${locked}' for update`, values: [] },
  ])
  expect((await claimDue(ctx, 'inside', 'one', 10)).map(job => job.id)).toEqual([free])
  expect((await claimInTurns(ctx, 'inside', 'one', 10, '')).jobs).toEqual([])
  await checkout.flush([{ text: 'rollback', values: [] }])
  checkout.release()
  expect((await claimInTurns(ctx, 'inside', 'one', 10, '')).jobs.map(job => job.id)).toEqual([locked])
})

test('turns go on after the last team that was served, and come round', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const ctx = systemContext(runtime)
  const many = Array.from(
    { length: TEAMS_PER_CLAIM_MAX + 5 },
    (_, at) => `5${at.toString(16).padStart(23, '0')}`,
  )
  for (const team of many) {
    await systemContext(runtime, team).transaction(async ctx => {
      for (let n = 0; n < 4; n++) enqueue(ctx, { kind: 'a' })
    })
  }
  const served: string[] = []
  for (let next = '', claims = 0; claims < many.length; claims++) {
    const turn = await claimInTurns(ctx, 'inside', `claim ${claims}`, 1, next)
    served.push(...turn.jobs.map(job => job.team_id))
    next = turn.next
  }
  expect(served).toEqual(many)
  const { jobs, next } = await claimInTurns(ctx, 'inside', 'all', 1_000, '')
  expect(jobs).toHaveLength(many.length * 3)
  expect(next).toBe(`${many[TEAMS_PER_CLAIM_MAX - 1]} `)
  expect((await claimInTurns(ctx, 'inside', 'none', 10, next)).next).toBe('')
})

test('a turn takes an eighth for each team, and fills up with the oldest', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const ctx = systemContext(runtime)
  for (const [team, agoMs] of [
    [teams[0], 3_000],
    [teams[1], 2_000],
    [teams[2], 1_000],
  ] as const) {
    await systemContext(runtime, team).transaction(async ctx => {
      ctx.later(
        insertJobs(Array.from({ length: 100 }, () => jobRow(ctx, { kind: 'a', run_at: ctx.in(-agoMs) }))),
      )
    })
  }
  const { jobs } = await claimInTurns(ctx, 'inside', 'one', 64, '')
  expect(teams.map(team => jobs.filter(job => job.team_id === team).length)).toEqual([48, 8, 8])
  expect(new Set(jobs.map(job => job.id)).size).toBe(64)
})

test('a lease is extended for its owner only, and a row that is being ended is not waited for', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const ctx = systemContext(runtime)
  for (let n = 0; n < 3; n++) await add(runtime, { kind: 'a' })
  const [mine, stolen, ending] = await claimDue(ctx, 'inside', 'one', 3)
  await stage.database.query('update jobs set owner = $1 where id = $2', ['thief', stolen!.id])
  const checkout = await runtime.pool.checkOut()
  await checkout.flush([
    { text: 'begin', values: [] },
    INSTALLATION_SETTING,
    { text: `delete from jobs where id = '${ending!.id}'`, values: [] },
  ])
  stage.clock.advance(5_000)
  expect(await extendLeases(ctx, [mine!, stolen!, ending!])).toEqual(new Set([mine]))
  await checkout.flush([{ text: 'rollback', values: [] }])
  checkout.release()
  const rows = await stage.jobs()
  const runAt = (job: Job) => rows.find(row => row.id === job.id)!.run_at
  expect([mine!, stolen!, ending!].map(runAt)).toEqual([
    ctx.in(LEASE_MS),
    ctx.in(LEASE_MS - 5_000),
    ctx.in(LEASE_MS - 5_000),
  ])
})

test('only the owner ends, retries, buries or hands back a job', async () => {
  const stage = await openStage()
  const runtime = stage.runtime()
  const ctx = systemContext(runtime)
  await add(runtime, { kind: 'a' })
  const [job] = await claimDue(ctx, 'inside', 'one', 1)
  const before = await stage.jobs()
  const stranger = { ...job!, owner: 'two' }
  const ended = ctx.transaction(async ctx => completeJobs(ctx, [stranger]))
  await expect(ended).rejects.toSatisfy(isFenced)
  await retryLater(ctx, stranger, ctx.now(), 'no')
  await bury(ctx, stranger, 'no')
  await handBack(ctx, [stranger])
  expect(await stage.jobs()).toEqual(before)
  const twice = ctx.transaction(async ctx => completeJobs(ctx, [job!, job!]))
  await expect(twice).rejects.toSatisfy(isFenced)
  await ctx.transaction(async ctx => completeJobs(ctx, [job!]))
  expect(await stage.jobs()).toEqual([])
})

test('the wait before a retry grows, is spread, and has an end', () => {
  expect([1, 2, 3, 4].map(attempts => backoffMs(attempts, 0.5))).toEqual([1_000, 5_000, 30_000, 120_000])
  expect(backoffMs(1, 0)).toBe(800)
  expect(backoffMs(1, 1)).toBe(1_200)
  expect(backoffMs(8, 0.5)).toBe(10_800_000)
  expect(backoffMs(1_000, 0.5)).toBe(10_800_000)
  expect(backoffMs(0, 0.5)).toBe(1_000)
})

/** What workers may do, in any order; `of` picks one of the jobs a worker believes to hold. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('enqueue' as const), delayMs: fc.nat(20_000), team: fc.nat(2) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('claim' as const, 'claim in turns' as const),
      worker: fc.nat(2),
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('complete' as const, 'fail' as const, 'hand back' as const, 'bury' as const),
      worker: fc.nat(2),
      of: fc.nat(5),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('complete all' as const), worker: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('heartbeat' as const), worker: fc.nat(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass time' as const), ms: fc.integer({ min: 1, max: 15_000 }) }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

test('whatever workers do in whatever order, no job has two effects, and none is lost', async () => {
  const stage = await openStage()
  const ctx = systemContext(stage.runtime())
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async steps => {
      await stage.database.query('truncate jobs, effects')
      const world = new World(stage, ctx)
      for (const one of steps) await world.take(one)
      await world.finish()
    }),
    { numRuns: 60 },
  )
})

/** Three workers, each with what it believes to hold: after a lease ran out it still believes so, as a frozen one does. */
class World {
  private readonly stage: Stage
  private readonly ctx: Context
  private readonly held: Job[][] = [[], [], []]
  private readonly due = new Map<string, string>()
  private readonly completed = new Set<string>()
  private readonly dead = new Set<string>()
  private claims = 0

  constructor(stage: Stage, ctx: Context) {
    this.stage = stage
    this.ctx = ctx
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'enqueue') return this.enqueue(step.delayMs, teams[step.team]!)
    if (step.do === 'pass time') return this.stage.clock.advance(step.ms)
    if ('count' in step) {
      const owner = this.owner(step.worker)
      if (step.do === 'claim')
        return this.claim(step.worker, await claimDue(this.ctx, 'inside', owner, step.count))
      return this.claim(step.worker, (await claimInTurns(this.ctx, 'inside', owner, step.count, '')).jobs)
    }
    const held = this.held[step.worker]!
    if (step.do === 'heartbeat') return void (await extendLeases(this.ctx, held))
    if (step.do === 'complete all') return this.complete(held.splice(0))
    const [job] = held.splice(step.of % Math.max(1, held.length), 1)
    if (!job) return
    if (step.do === 'complete') await this.complete([job])
    if (step.do === 'fail') await retryLater(this.ctx, job, this.ctx.in(1_000), 'failed')
    if (step.do === 'hand back') await handBack(this.ctx, [job])
    if (step.do === 'bury') await this.bury(job)
  }

  /** Every job that is not dead can still be ended, whatever happened before. */
  async finish(): Promise<void> {
    this.stage.clock.advance(60_000)
    this.claim(0, await claimDue(this.ctx, 'inside', this.owner(0), 1_000))
    const left = this.held[0]!.filter(job => !this.completed.has(job.id) && !this.dead.has(job.id))
    await this.complete(left.filter(job => job.owner === `worker 0 claim ${this.claims}`))
    const alive = [...this.due.keys()].filter(id => !this.dead.has(id))
    expect((await this.stage.effects()).toSorted()).toEqual(alive.toSorted())
    expect((await this.stage.jobs()).map(job => job.id).toSorted()).toEqual([...this.dead].toSorted())
  }

  private owner(worker: number): string {
    return `worker ${worker} claim ${++this.claims}`
  }

  private async enqueue(delayMs: number, team: string): Promise<void> {
    const run_at = this.ctx.in(delayMs)
    this.due.set(await add(this.ctx.runtime, { kind: 'a', run_at }, team), run_at)
  }

  private claim(worker: number, claimed: Job[]): void {
    for (const job of claimed) {
      expect(this.completed.has(job.id) || this.dead.has(job.id)).toBe(false)
      expect(this.due.get(job.id)! <= this.ctx.now()).toBe(true)
      this.held[worker]!.push(job)
    }
  }

  private async complete(jobs: Job[]): Promise<void> {
    if (jobs.length === 0) return
    const owners = new Map((await this.stage.jobs()).map(row => [row.id, row.owner]))
    const allOurs =
      jobs.every(job => owners.get(job.id) === job.owner) &&
      new Set(jobs.map(job => job.id)).size === jobs.length
    const ending = this.ctx.transaction(async ctx => {
      for (const job of jobs) leaveEffect(ctx, job)
      completeJobs(ctx, jobs)
    })
    if (!allOurs) return void (await expect(ending).rejects.toSatisfy(isFenced))
    await ending
    for (const job of jobs) this.completed.add(job.id)
  }

  private async bury(job: Job): Promise<void> {
    await bury(this.ctx, job, 'buried')
    const row = (await this.stage.jobs()).find(row => row.id === job.id)
    if (row?.state === 'dead') this.dead.add(job.id)
  }
}
