import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { job } from '../registry.ts'
import { drain } from './drain.ts'
import { add, holdAnswers, leaveEffect, openStage } from './jobs.harness.ts'
import { enqueue } from './queue.ts'

/** Longer than anything else here takes, and than the pauses of a drain. */
const LATE_MS = 300
const ANSWERS_MAX = 30

test('what a job leaves to do is done as well, however late the worker hears that the job is its own', async () => {
  const stage = await openStage()
  const first = job('first', {}, async ctx => void enqueue(ctx, { kind: 'second' }))
  const second = job('second', {}, async (ctx, job) => leaveEffect(ctx, job))
  const runtime = stage.runtime([first, second])
  await add(runtime, { kind: 'first' })
  let answers = 0
  const pool = holdAnswers(runtime.pool, () => (answers++, sleep(LATE_MS)))
  const done = await drain({ ...runtime, pool }, ['first', 'second'])
  // Late answers do not keep it from ending.
  expect(answers).toBeLessThan(ANSWERS_MAX)
  expect(done).toEqual({ done: 2, failed: 0 })
  expect(await stage.effects()).toHaveLength(1)
  expect(await drain(runtime, ['first', 'second'])).toEqual({ done: 0, failed: 0 })
})
