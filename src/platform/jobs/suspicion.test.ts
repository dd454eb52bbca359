import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { systemContext, type Context } from '../context.ts'
import { job } from '../registry.ts'
import { add, addMany, leaveEffect, openStage, until } from './jobs.harness.ts'
import { LOST_CLAIMS_MAX, SUSPECT_AFTER, SUSPECT_WAIT_MS } from './limits.ts'
import { claimDue } from './claim.ts'
import { clearOfSuspicion, type Job } from './queue.ts'

/** Leaves its effect and ends. */
const note = job('note', {}, async (ctx, job) => leaveEffect(ctx, job))

test('a job whose worker dies every time is buried in the end', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([note])
  const id = await add(runtime, { kind: 'note' })
  const onceMore = await add(runtime, { kind: 'note' })
  const losing = `update jobs set owner = 'dead-worker', lost = $2 where id = $1`
  await stage.database.query(losing, [id, LOST_CLAIMS_MAX])
  await stage.database.query(losing, [onceMore, LOST_CLAIMS_MAX - 1])
  const worker = stage.worker(runtime)
  await until(() => worker.stats().dead === 1 && worker.stats().done === 1)
  const [row] = await stage.jobs()
  expect(row).toMatchObject({
    id,
    state: 'dead',
    owner: null,
    last_error: 'every worker that ran it stopped before it finished',
  })
  expect(await stage.effects()).toEqual([onceMore])
})

test('a worker that dies costs its jobs no try', async () => {
  const stage = await openStage()
  const calls: number[] = []
  const runtime = stage.runtime([
    job('frail', { triesMax: 2 }, async (ctx, job) => {
      calls.push(job.attempts)
      if (calls.length === 1) throw new Error('once')
      leaveEffect(ctx, job)
    }),
  ])
  const id = await add(runtime, { kind: 'frail' })
  await stage.database.query(`update jobs set owner = 'dead-worker', attempts = 1, lost = 3`)
  const worker = stage.worker(runtime)
  await until(() => worker.stats().failed === 1)
  stage.clock.advance(2_000)
  await until(() => worker.stats().done === 1)
  expect(calls).toEqual([1, 2])
  expect(await stage.effects()).toEqual([id])
})

test('of jobs that lost many workers one is in hand at a time, in whichever lane, and the rest is harmed by none', async () => {
  const stage = await openStage()
  let together = 0
  let most = 0
  const watched = async (ctx: Context, job: Job) => {
    most = Math.max(most, ++together)
    await sleep(5)
    together--
    await ctx.transaction(async ctx => leaveEffect(ctx, job))
  }
  const runtime = stage.runtime([
    job('inside', {}, watched),
    job('outside', { outgoing: true }, watched),
    note,
  ])
  const suspects = [
    ...(await addMany(runtime, 4, { kind: 'inside' })),
    ...(await addMany(runtime, 4, { kind: 'outside' })),
  ]
  await stage.database.query('update jobs set lost = $1', [SUSPECT_AFTER])
  const good = await addMany(runtime, 20, { kind: 'note' })
  const worker = stage.worker(runtime)
  // The others are done meanwhile, before the suspects that wait are due again.
  await until(() => worker.stats().done >= good.length + 1)
  const waiting = await stage.jobs()
  expect(waiting.every(({ lost, attempts }) => lost === SUSPECT_AFTER && attempts <= 1)).toBe(true)
  await until(async () => {
    // Not while one is claimed: its lease would run out.
    if ((await stage.jobs()).every(({ owner }) => owner === null)) stage.clock.advance(SUSPECT_WAIT_MS)
    return worker.stats().done === good.length + suspects.length
  })
  expect((await stage.effects()).toSorted()).toEqual([...good, ...suspects].toSorted())
  expect(most).toBe(1)
})

test("a job that got somewhere is no suspect any more, unless it is somebody else's by now", async () => {
  const stage = await openStage()
  const runtime = stage.runtime([note])
  const ctx = systemContext(runtime)
  await add(runtime, { kind: 'note' })
  await stage.database.query(`update jobs set owner = 'dead-worker', lost = $1`, [SUSPECT_AFTER])
  const [mine] = await claimDue(ctx, 'inside', 'one', 1)
  await ctx.transaction(async ctx => clearOfSuspicion(ctx, { ...mine!, owner: 'another' }))
  expect(await stage.jobs()).toMatchObject([{ lost: SUSPECT_AFTER + 1 }])
  await ctx.transaction(async ctx => clearOfSuspicion(ctx, mine!))
  expect(await stage.jobs()).toMatchObject([{ lost: 0, owner: 'one' }])
})
