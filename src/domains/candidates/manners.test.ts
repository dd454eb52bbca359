import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import { systemContext } from '#platform/context.ts'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { startHunt, type Hunt } from './candidates.harness.ts'
import { forgetHosts, mannersOf, TURN_AHEAD_MAX_MS } from './manners.ts'

const PAUSE_MS = 1_000
const clock = new FakeClock()
let database: TestDatabase
let hunts: [Hunt, Hunt]
beforeAll(async () => {
  database = await createDatabase()
  hunts = [
    await startHunt({ role: 'api', clock, database }),
    await startHunt({ role: 'api', clock, database }),
  ]
})
afterAll(async () => {
  for (const hunt of hunts) await hunt.close()
  await database.drop()
})

/** One for each process, as the jobs of two teams have it. */
const manners = () => hunts.map(({ ada }) => mannersOf(ada.ctx)) as [Manners, Manners]
type Manners = ReturnType<typeof mannersOf>

test('two who crawl one host in different processes keep their distance', async () => {
  const [one, other] = manners()
  expect(await one.takeTurn('acme.test', PAUSE_MS)).toBe(0)
  expect(await other.takeTurn('acme.test', PAUSE_MS)).toBe(PAUSE_MS)
  expect(await one.takeTurn('acme.test', PAUSE_MS)).toBe(2 * PAUSE_MS)
  expect(await other.takeTurn('elsewhere.test', PAUSE_MS)).toBe(0)
  clock.advance(2 * PAUSE_MS + 1)
  expect(await other.takeTurn('acme.test', PAUSE_MS)).toBe(PAUSE_MS - 1)
  clock.advance(10 * PAUSE_MS)
  expect(await one.takeTurn('acme.test', PAUSE_MS)).toBe(0)
})

test('of forty turns that are taken at once no two are the same', async () => {
  const both = manners()
  const turns = await Promise.all(
    Array.from({ length: 40 }, (_, n) => both[n % 2]!.takeTurn('busy.test', PAUSE_MS)),
  )
  expect(turns.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n * PAUSE_MS))
})

test('a turn that was noted before the clock was set back is not waited for', async () => {
  const [one] = manners()
  await one.takeTurn('ahead.test', TURN_AHEAD_MAX_MS)
  expect(await one.takeTurn('ahead.test', PAUSE_MS)).toBe(TURN_AHEAD_MAX_MS)
  clock.advance(-1)
  expect(await one.takeTurn('ahead.test', PAUSE_MS)).toBe(0)
})

test('the rules of a host are read once for all, for as long as they are fresh', async () => {
  const [one, other] = manners()
  expect(await other.findRobots('acme.test')).toBeUndefined()
  await one.keepRobots('acme.test', 'User-agent: *\nDisallow: /\u0000', 60_000)
  expect(await other.findRobots('acme.test')).toBe('User-agent: *\nDisallow: /\ufffd')
  await other.keepRobots('acme.test', '', 60_000)
  expect(await one.findRobots('acme.test')).toBe('')
  clock.advance(59_999)
  expect(await one.findRobots('acme.test')).toBe('')
  clock.advance(1)
  expect(await one.findRobots('acme.test')).toBeUndefined()
})

test('a host is forgotten when its rules are old and its turn is over, and not before', async () => {
  await database.query('delete from crawl_hosts')
  const [one] = manners()
  await one.keepRobots('fresh.test', '', 60_000)
  await one.takeTurn('waiting.test', 60_000)
  await one.keepRobots('old.test', '', 1)
  await one.takeTurn('over.test', 1)
  clock.advance(1)
  expect(await forgetHosts(systemContext(hunts[0].app.runtime))).toBe(2)
  const left = await database.query('select host from crawl_hosts order by host')
  expect(left).toEqual([{ host: 'fresh.test' }, { host: 'waiting.test' }])
})
