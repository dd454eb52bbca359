import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '#test/database.ts'
import { eventually } from '#test/eventually.ts'
import { memoryCrawler } from '#test/ports.ts'
import { fact, site, startHunt } from './candidates.harness.ts'
import { CRAWL_JOB } from './crawling.ts'
import { CRAWLS_AT_ONCE, Hands } from './hands.ts'

describe('the hands of a process', () => {
  test(`are ${CRAWLS_AT_ONCE}: who comes then waits a moment, and gets the first that is free`, async () => {
    const hands = new Hands()
    for (let taken = 0; taken < CRAWLS_AT_ONCE; taken++) expect(await hands.take()).toBe(true)
    expect(await hands.take()).toBe(false)
    const [waits, waitsToo] = [hands.take(), hands.take()]
    hands.giveBack()
    expect(await waits).toBe(true)
    expect(await waitsToo).toBe(false)
    hands.giveBack()
    expect(await hands.take()).toBe(true)
    expect(await hands.take()).toBe(false)
  })

  test('send those away for longer whom more have come before', () => {
    const hands = new Hands()
    const waits = Array.from({ length: CRAWLS_AT_ONCE + 1 }, () => hands.backInMs())
    expect(new Set(waits.slice(0, -1))).toEqual(new Set([waits[0]]))
    expect(waits.at(-1)).toBe(2 * waits[0]!)
    hands.giveBack()
    hands.giveBack()
    expect(hands.backInMs()).toBe(waits[0])
  })
})

describe('a process that stops', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  test('waits for no site: the crawl is handed back as if it had never begun, and the next process does it', async () => {
    const first = await startHunt({ database })
    const added = first.row()
    first.sites.set(
      added.domain,
      ({ signal }) =>
        new Promise(resolve => {
          const stopped = { outcome: 'failed', reason: 'Stopped.', passing: true } as const
          signal!.addEventListener('abort', () => resolve(stopped))
        }),
    )
    await first.add(added)
    await eventually(() => expect(first.crawled).toEqual([added.url]))
    await first.close()
    const jobs = await database.query('select owner, attempts, lost from jobs where kind = $1', [CRAWL_JOB])
    expect(jobs).toEqual([{ owner: null, attempts: 0, lost: 0 }])

    const crawler = memoryCrawler()
    crawler.sites.set(added.domain, site(added.domain, fact('name', 'Acme')))
    const second = await startHunt({ database, clock: first.clock, ports: { crawler } })
    try {
      await eventually(async () => {
        const [row] = await database.query('select status, name, crawls from candidates')
        expect(row).toEqual({ status: 'CRAWLED', name: 'Acme', crawls: 1 })
      })
      expect(await second.booked(added.id)).toEqual(['use'])
    } finally {
      await second.close()
    }
  })
})
