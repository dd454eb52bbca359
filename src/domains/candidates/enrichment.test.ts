import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { systemContext } from '#platform/context.ts'
import { runScheduled } from '#platform/schedule.ts'
import { changePlan } from '#domains/credits/plan.ts'
import type { Person } from '#test/app.ts'
import { client } from '#test/client.ts'
import { expectProblem } from '#test/problem.ts'
import { DAY_MS, HOUR_MS, startHunt, type Hunt } from './candidates.harness.ts'
import { CRAWL_JOB } from './crawling.ts'
import { CLAIMED_PER_RUN_MAX, CLAIMED_PER_TEAM_MAX, enrichStale } from './enrichment.ts'
import { scheduled } from './jobs.ts'
import type { CandidateRow } from './store.ts'
import { STALE_DAYS } from './values.ts'

let hunt: Hunt
beforeAll(async () => {
  hunt = await startHunt({ role: 'api' })
})
afterAll(() => hunt.close())
afterEach(async () => {
  await hunt.app.database.query('delete from candidates')
  await hunt.app.database.query('delete from jobs')
})

const NOW = '2026-06-01T12:00:00.000Z'
const STALE_MS = STALE_DAYS * DAY_MS

/** Read so long ago, and so to be read again when that is 90 days ago. */
function readAgo(ms: number, fields: Partial<CandidateRow> = {}): CandidateRow {
  const crawledMs = Date.parse(NOW) - ms
  return hunt.row({
    status: 'CRAWLED',
    crawled_at: new Date(crawledMs).toISOString(),
    next_crawl_at: new Date(crawledMs + STALE_MS).toISOString(),
    ...fields,
  })
}

/** In the order they were written: teams one after the other, and IDs say the order within a team only. */
const queued = () =>
  hunt.app.database.query<{ team_id: string; candidate_id: string; crawl: number }>(
    `select team_id, data->>'candidate_id' as candidate_id, (data->>'crawl')::int as crawl
     from jobs where kind = $1 order by xmin::text::bigint, id`,
    [CRAWL_JOB],
  )
const queuedIds = async () => (await queued()).map(({ candidate_id }) => candidate_id)

test('exactly those that were read 90 days ago or longer are read again, to the millisecond, oldest first', async () => {
  hunt.clock.set(NOW)
  const [before, at, after, oldest] = [
    readAgo(STALE_MS - 1),
    readAgo(STALE_MS),
    readAgo(STALE_MS + 1),
    readAgo(400 * DAY_MS),
  ]
  await hunt.keep([before, at, after, oldest])
  expect(await hunt.enrich()).toMatchObject({ teams: 1, claimed: 3 })
  expect(await queuedIds()).toEqual([oldest.id, after.id, at.id])
  for (const { id } of [at, after, oldest])
    expect(await hunt.read(id)).toMatchObject({ status: 'QUEUED', crawls: 2, next_crawl_at: null })
  expect(await hunt.read(before.id)).toMatchObject({ status: 'CRAWLED', crawls: 1 })
  hunt.clock.advance(1)
  expect(await hunt.enrich()).toMatchObject({ claimed: 1 })
  expect((await queuedIds()).at(-1)).toBe(before.id)
})

test('twice in an hour is once', async () => {
  hunt.clock.set(NOW)
  await hunt.keep([readAgo(STALE_MS), readAgo(STALE_MS + HOUR_MS)])
  expect(await hunt.enrich()).toMatchObject({ claimed: 2 })
  hunt.clock.advance(HOUR_MS / 2)
  expect(await hunt.enrich()).toMatchObject({ claimed: 0 })
  expect(await queued()).toHaveLength(2)
})

test('runs that overlap take each of them once', async () => {
  hunt.clock.set(NOW)
  const due = Array.from({ length: 90 }, (_, n) => readAgo(STALE_MS + n))
  await hunt.keep(due)
  const ctx = systemContext(hunt.app.runtime)
  const runs = await Promise.all(Array.from({ length: 8 }, () => enrichStale(ctx)))
  expect(runs.reduce((sum, { claimed }) => sum + claimed!, 0)).toBe(90)
  expect((await queuedIds()).toSorted()).toEqual(due.map(({ id }) => id).toSorted())
  expect((await queued()).every(({ crawl }) => crawl === 2)).toBe(true)
  const calls = await Promise.all(Array.from({ length: 8 }, () => runScheduled(ctx, scheduled[0]!, 'route')))
  expect(calls.every(({ processed }) => !processed.claimed)).toBe(true)
})

test('what is in the trash, under way, or was never read is left alone', async () => {
  hunt.clock.set(NOW)
  await hunt.keep([
    readAgo(STALE_MS, { deleted_at: NOW }),
    readAgo(STALE_MS, { status: 'CRAWLING', next_crawl_at: null }),
    hunt.row({ status: 'FAILED', failures: 1 }),
  ])
  expect(await hunt.enrich()).toMatchObject({ teams: 0, claimed: 0 })
})

test('of a team whose trial is over nothing is read again, until it goes on', async () => {
  hunt.clock.set(NOW)
  const due = readAgo(STALE_MS)
  await hunt.keep([due])
  await changePlan(hunt.ada.ctx, { plan: 'EXPIRED' })
  expect(await hunt.enrich()).toMatchObject({ teams: 0, claimed: 0 })
  expect(await hunt.read(due.id)).toMatchObject({ status: 'CRAWLED', crawls: 1 })
  await changePlan(hunt.ada.ctx, { plan: 'ACTIVE' })
  hunt.clock.advance(HOUR_MS)
  expect(await hunt.enrich()).toMatchObject({ teams: 1, claimed: 1 })
})

test(`a team has ${CLAIMED_PER_TEAM_MAX} in a run, the oldest, and the rest in the next`, async () => {
  hunt.clock.set(NOW)
  const due = Array.from({ length: CLAIMED_PER_TEAM_MAX + 1 }, (_, n) => readAgo(STALE_MS + n))
  await hunt.keep(due)
  expect(await hunt.enrich()).toMatchObject({ claimed: CLAIMED_PER_TEAM_MAX })
  const oldestFirst = due.toReversed().map(({ id }) => id)
  expect(await queuedIds()).toEqual(oldestFirst.slice(0, CLAIMED_PER_TEAM_MAX))
  expect(await hunt.enrich()).toMatchObject({ claimed: 1 })
  expect(await queuedIds()).toEqual(oldestFirst)
})

test(`a run takes ${CLAIMED_PER_RUN_MAX}, of each team a share, and who waits longest is never passed over`, async () => {
  hunt.clock.set(NOW)
  const teams: Person[] = [hunt.ada]
  while (teams.length < 13) teams.push(await hunt.app.person())
  // The last of them has a single one, which is the oldest of all.
  const [small, ...large] = teams.toReversed()
  for (const team of large)
    await hunt.keep(
      Array.from({ length: CLAIMED_PER_TEAM_MAX }, (_, n) => readAgo(STALE_MS + n * 1_000)),
      team,
    )
  const oldest = readAgo(500 * DAY_MS)
  await hunt.keep([oldest], small)
  expect(await hunt.enrich()).toMatchObject({ teams: 13, claimed: CLAIMED_PER_RUN_MAX })
  const jobs = await queued()
  expect(jobs[0]!.candidate_id).toBe(oldest.id)
  const perTeam = Object.values(Object.groupBy(jobs, ({ team_id }) => team_id)).map(list => list!.length)
  expect(perTeam.toSorted((a, b) => a - b)).toEqual([1, ...Array(9).fill(83), ...Array(3).fill(84)])
  expect(await hunt.enrich()).toMatchObject({
    teams: 12,
    claimed: large.length * CLAIMED_PER_TEAM_MAX + 1 - CLAIMED_PER_RUN_MAX,
  })
})

test("one team's trouble is not the others'", async () => {
  hunt.clock.set(NOW)
  const other = await hunt.app.person()
  const [broken, fine] = [readAgo(STALE_MS + 1), readAgo(STALE_MS)]
  await hunt.keep([broken])
  await hunt.keep([fine], other)
  await hunt.app.database.query(
    `alter table candidates add constraint refuse check (id <> '${broken.id}') not valid`,
  )
  try {
    await expect(enrichStale(systemContext(hunt.app.runtime))).rejects.toThrow('1 teams')
    expect(await queuedIds()).toEqual([fine.id])
  } finally {
    await hunt.app.database.query('alter table candidates drop constraint refuse')
  }
})

test('the route is for the scheduler alone, and tells what was done', async () => {
  hunt.clock.set('2026-06-02T12:00:00.000Z')
  expectProblem(await client(hunt.app.url).post('/api/cron/enrichment'), 401, 'unauthenticated')
  await hunt.keep([readAgo(STALE_MS)])
  await hunt.enrich()
  const { body } = await (await hunt.app.person()).browser.get('/api/cron')
  const job = body.data.find(({ job }: { job: string }) => job === 'enrichment')
  expect(job).toMatchObject({ cron: '0 * * * *', route: '/api/cron/enrichment', running: false })
  expect(job.last_runs[0]).toMatchObject({ outcome: 'done', processed: { teams: 1, claimed: 1 } })
})
