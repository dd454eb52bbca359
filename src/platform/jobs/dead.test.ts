import { expect, onTestFinished, test } from 'vitest'
import { domains } from '#app'
import { startApp } from '#test/app.ts'
import { FakeClock } from '../clock.ts'
import { job } from '../registry.ts'
import { enqueue } from './queue.ts'
import { until } from './jobs.harness.ts'

test('a job that failed for good is seen by its own team, can be tried again, and can be given up', async () => {
  let works = false
  const flaky = job('flaky', { triesMax: 1 }, async () => {
    if (!works) throw new Error('the bank said no')
  })
  const clock = new FakeClock()
  const app = await startApp({
    clock,
    domains: [...domains, { name: 'test', endpoints: {}, api: {}, jobs: [flaky] }],
  })
  onTestFinished(() => app.close())
  const [ada, eve] = [await app.person(), await app.person()]
  const enqueueOne = () => ada.ctx.transaction(async ctx => enqueue(ctx, { kind: 'flaky' }))
  const dead = async () => (await ada.browser.get('/api/jobs/dead')).body.data as { id: string }[]

  const [first, second] = [await enqueueOne(), await enqueueOne()]
  await until(async () => (await dead()).length === 2)
  const list = await ada.browser.get('/api/jobs/dead')
  expect(list.body.data).toContainEqual({
    id: first,
    kind: 'flaky',
    attempts: 1,
    error: 'the bank said no',
    failed_at: new Date(clock.now()).toISOString(),
    created_at: new Date(clock.now()).toISOString(),
    event_id: null,
  })
  expect((await eve.browser.get('/api/jobs/dead')).body.data).toEqual([])
  expect((await eve.browser.post(`/api/jobs/dead/${first}/retry`)).status).toBe(404)

  works = true
  expect((await ada.browser.post(`/api/jobs/dead/${first}/retry`)).status).toBe(204)
  await until(async () => (await app.database.query('select from jobs where id = $1', [first])).length === 0)
  expect((await dead()).map(one => one.id)).toEqual([second])
  expect((await ada.browser.post(`/api/jobs/dead/${first}/retry`)).status).toBe(404)
  expect((await ada.browser.delete(`/api/jobs/dead/${second}`)).status).toBe(204)
  expect(await dead()).toEqual([])
  const told = await app.database.query(
    `select type, data from events where subject_kind = 'job' order by id`,
  )
  expect(told).toEqual([
    { type: 'job.retried', data: { kind: 'flaky' } },
    { type: 'job.discarded', data: { kind: 'flaky' } },
  ])
})
