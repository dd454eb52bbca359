import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { markOf, pruneMarks, requireMarks } from './marks.ts'
import { enqueue, type Job } from './queue.ts'

const DAY_MS = 86_400_000

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await startApp({ role: 'api', sharded: true })
  ada = await app.person()
})
afterAll(() => app.close())

const jobsOf = (ids: string[]) =>
  app.database.query<Job & { mark: string }>('select * from jobs where id = any($1::text[])', [ids])
const forget = (mark: string) => app.database.query('delete from commit_marks where id = $1', [mark])

test('jobs of a transaction share a mark, and run once it can be read', async () => {
  const ids = await ada.ctx.transaction(async ctx => [
    enqueue(ctx, { kind: 'none' }),
    enqueue(ctx, { kind: 'none' }),
  ])
  const jobs = await jobsOf(ids)
  expect(new Set(jobs.map(({ mark }) => mark)).size).toBe(1)
  await expect(requireMarks(app.runtime, jobs)).resolves.toBeUndefined()
  await forget(jobs[0]!.mark)
  await expect(requireMarks(app.runtime, jobs)).rejects.toThrow('has not been committed on every node yet')
})

test('a job with an event has none, nor has one of the installation', async () => {
  const ids = await ada.ctx.transaction(async ctx => [
    enqueue(ctx, { kind: 'none', event_id: 'a'.repeat(24) }),
    enqueue(ctx, { kind: 'none', team_id: '' }),
  ])
  expect((await jobsOf(ids)).map(({ mark }) => mark)).toEqual([null, null])
})

test('on one PostgreSQL there are none', async () => {
  const runtime = { ...app.runtime, sharded: false }
  expect(markOf({ runtime, hasTeam: true } as typeof ada.ctx)).toBeNull()
})

test('after a week they go, and a job that slept longer needs none', async () => {
  const [job] = await jobsOf([await ada.ctx.transaction(async ctx => enqueue(ctx, { kind: 'none' }))])
  const clock = { ...app.runtime.clock, now: () => Date.now() + 8 * DAY_MS }
  const later = { ...app.runtime, clock }
  expect(await pruneMarks(ada.ctx)).toBe(0)
  await forget(job!.mark)
  await expect(requireMarks(app.runtime, [job!])).rejects.toThrow()
  await expect(requireMarks(later, [job!])).resolves.toBeUndefined()
})
