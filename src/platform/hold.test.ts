import { expect, test } from 'vitest'
import { systemContext } from './context.ts'
import { hold, isHeld, release } from './hold.ts'
import { add, addMany, leaveEffect, openStage, until } from './jobs/jobs.harness.ts'
import { job } from './registry.ts'

const send = job('send', { outgoing: true }, async (ctx, job) =>
  ctx.transaction(async ctx => leaveEffect(ctx, job)),
)
const note = job('note', {}, async (ctx, job) => leaveEffect(ctx, job))

test('while on hold nothing goes out, everything else goes on, and the release lets it go once', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([send, note])
  const ctx = systemContext(runtime)
  expect(await isHeld(ctx)).toBe(false)
  await hold(ctx)
  await hold(ctx)
  expect(await isHeld(ctx)).toBe(true)
  const held = await addMany(runtime, 40, { kind: 'send' })
  await add(runtime, { kind: 'send', run_at: ctx.in(60_000) })
  const inside = await addMany(runtime, 40, { kind: 'note' })
  const worker = stage.worker(runtime)
  await until(() => worker.stats().done === 40)
  expect((await stage.effects()).toSorted()).toEqual(inside.toSorted())
  expect((await stage.jobs()).every(job => job.owner === null && job.attempts === 0)).toBe(true)
  expect(await release(ctx)).toBe(40)
  expect(await isHeld(ctx)).toBe(false)
  await until(() => worker.stats().done === 80)
  expect((await stage.effects()).toSorted()).toEqual([...held, ...inside].toSorted())
  expect(await release(ctx)).toBe(0)
})

test('a hold on a running system lets end what is under way, and begins nothing more', async () => {
  const stage = await openStage()
  let begun = 0
  const { promise: passed, resolve: open } = Promise.withResolvers<void>()
  const slow = job('slow', { outgoing: true }, async (ctx, job) => {
    begun++
    await passed
    await ctx.transaction(async ctx => leaveEffect(ctx, job))
  })
  const runtime = stage.runtime([slow, note])
  const ctx = systemContext(runtime)
  await addMany(runtime, 20, { kind: 'slow' })
  const worker = stage.worker(runtime, { outgoingConcurrency: 3 })
  await until(() => begun === 3)
  await hold(ctx)
  open()
  await until(() => worker.stats().done === 3)
  // A job inside that was added later proves that the worker looked again.
  for (let round = 1; round <= 3; round++) {
    await add(runtime, { kind: 'note' })
    await until(() => worker.stats().done === 3 + round)
  }
  expect(begun).toBe(3)
  expect(await release(ctx)).toBe(17)
  await until(() => worker.stats().done === 23)
})

test('holding, releasing and claiming at the same time leaves nothing behind', async () => {
  const stage = await openStage()
  const runtime = stage.runtime([send])
  const ctx = systemContext(runtime)
  const ids = await addMany(runtime, 300, { kind: 'send' })
  const workers = [stage.worker(runtime), stage.worker(stage.runtime([send]))]
  for (let round = 0; round < 15; round++) {
    await hold(ctx)
    await release(ctx)
  }
  await until(() => workers[0]!.stats().done + workers[1]!.stats().done === 300)
  expect((await stage.effects()).toSorted()).toEqual(ids.toSorted())
})

test('work of a kind that a release made outgoing is held too, though it was written as work inside', async () => {
  const stage = await openStage()
  const before = stage.runtime([job('send', {}, async () => {})])
  const id = await add(before, { kind: 'send' })
  expect((await stage.jobs())[0]!.outgoing).toBe(false)
  const runtime = stage.runtime([send])
  await hold(systemContext(runtime))
  const worker = stage.worker(runtime)
  await until(async () => (await stage.jobs())[0]!.outgoing)
  expect((await stage.jobs())[0]).toMatchObject({ id, owner: null, attempts: 0, state: 'ready' })
  await release(systemContext(runtime))
  await until(() => worker.stats().done === 1)
  expect(await stage.effects()).toEqual([id])
})
