import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Crawled, Site } from '#platform/ports/crawler.ts'
import { LEASE_MS } from '#platform/jobs/limits.ts'
import { eventually } from '#test/eventually.ts'
import { DAY_MS, fact, HOUR_MS, site, startHunt, unchanged, type Hunt } from './candidates.harness.ts'
import { CRAWL_JOB, CRAWL_TRIES_MAX, queueCrawl } from './crawling.ts'
import { CHANGES_TOLD_MAX } from './facts.ts'
import { CRAWLS_AT_ONCE } from './hands.ts'
import { restoreCandidate, trashCandidate } from './service.ts'
import { BACKOFF_DAYS } from './settle-crawl.ts'
import { records, type CandidateRow } from './store.ts'
import { STALE_DAYS } from './values.ts'

let hunt: Hunt
beforeAll(async () => {
  hunt = await startHunt()
})
afterAll(() => hunt.close())
// So that what one test leaves is not due in the next.
afterEach(() => hunt.app.database.query('delete from candidates'))

const inDays = (days: number) => hunt.ada.ctx.in(days * DAY_MS)
const acme = [fact('name', 'Acme'), fact('email', 'hello@acme.test'), fact('technology', 'Shopify')]

/** It is due, and read once more. */
async function again(id: string): Promise<CandidateRow> {
  const { next_crawl_at } = await hunt.read(id)
  hunt.clock.set(next_crawl_at!)
  expect(await hunt.enrich()).toMatchObject({ claimed: 1 })
  await hunt.settle()
  return hunt.read(id)
}

/** A site that answers when the test says so; `asked` is when it was asked. */
function slowSite(host: string) {
  const asked: Site[] = []
  const answers: ((crawled: Crawled) => void)[] = []
  hunt.sites.set(host, request => {
    asked.push(request)
    return new Promise(resolve => answers.push(resolve))
  })
  return {
    asked,
    answer: (crawled: Crawled) => answers.shift()!(crawled),
    isAsked: (times: number) => eventually(() => expect(asked).toHaveLength(times)),
  }
}

describe('a first crawl', () => {
  test('writes what the site says, each fact with its page and time, for one credit', async () => {
    const added = hunt.row()
    hunt.sites.set(added.domain, site(added.domain, ...acme))
    const { id, domain } = await hunt.add(added)
    await hunt.settle()
    const now = hunt.ada.ctx.now()
    expect(await hunt.read(id)).toMatchObject({
      status: 'CRAWLED',
      name: 'Acme',
      email: 'hello@acme.test',
      facts_count: 3,
      score: 20,
      crawled_at: now,
      changed_at: now,
      next_crawl_at: inDays(STALE_DAYS),
      failures: 0,
      error: null,
      data: { facts: acme.map(each => ({ ...each, url: `https://${domain}/`, at: now })) },
    })
    expect(await hunt.booked(id)).toEqual(['use'])
    expect(await hunt.events(id, 'candidate.crawled')).toMatchObject([
      { data: { domain, name: 'Acme', status: 'CRAWLED', facts: 3, reason: null } },
    ])
    expect(await hunt.events(id, 'candidate.facts_changed')).toEqual([])
    const [page] = await hunt.app.database.query(
      'select url, etag, jsonb_array_length(facts) as facts from candidate_pages where candidate_id = $1',
      [id],
    )
    expect(page).toEqual({ url: `https://${domain}/`, etag: '"1"', facts: 3 })
  })

  test('that finds nobody gives the credit back, is marked, and is not tried again by itself', async () => {
    for (const [outcome, status] of [
      ['gone', 'GONE'],
      ['blocked', 'BLOCKED'],
      ['failed', 'FAILED'],
    ] as const) {
      const added = hunt.row()
      hunt.sites.set(added.domain, { outcome, reason: `It is ${outcome}.`, passing: false } as Crawled)
      const { id } = await hunt.add(added)
      await hunt.settle()
      expect(await hunt.read(id)).toMatchObject({
        status,
        error: `It is ${outcome}.`,
        failures: 1,
        crawled_at: null,
        next_crawl_at: null,
        facts_count: 0,
      })
      expect(await hunt.booked(id)).toEqual(['use', 'refund'])
    }
  })

  test('of a lead stands on the timeline of that lead', async () => {
    const lead = await hunt.lead()
    const added = hunt.row({ lead_id: lead.id })
    hunt.sites.set(added.domain, site(added.domain, ...acme))
    await hunt.add(added)
    await hunt.settle()
    expect(await hunt.timeline(lead.id)).toEqual(['candidate.crawled', 'lead.created'])
  })
})

describe('when a site is read again', () => {
  test('its pages are asked for by what they were known by, and one that has not changed tells nothing', async () => {
    const lead = await hunt.lead()
    const added = hunt.row({ lead_id: lead.id })
    const { domain, id } = added
    hunt.sites.set(domain, site(domain, ...acme))
    await hunt.add(added)
    await hunt.settle()
    const first = await hunt.read(id)
    let asked: Site | undefined
    hunt.sites.set(domain, request => {
      asked = request
      return unchanged(domain)
    })
    const second = await again(id)
    expect(asked!.known).toEqual([{ url: `https://${domain}/`, etag: '"1"', last_modified: null }])
    expect(second.data).toEqual(first.data)
    expect(second).toMatchObject({
      status: 'CRAWLED',
      crawled_at: hunt.ada.ctx.now(),
      changed_at: first.changed_at,
      next_crawl_at: inDays(STALE_DAYS),
      crawls: 2,
    })
    expect(await hunt.booked(id)).toEqual(['use'])
    expect(await hunt.timeline(lead.id)).toEqual(['candidate.crawled', 'lead.created'])
    expect(await hunt.events(id, 'candidate.facts_changed')).toEqual([])
  })

  test('what has changed is told, stands on the timeline, and starts a workflow that listens', async () => {
    const workflow = await hunt.api.post('/api/crm/workflows', {
      name: 'News',
      trigger: 'Company Facts Changed',
      filters: [{ field: 'event.added', op: 'exists' }],
      nodes: [{ type: 'action', action: 'update_field', field: 'pipeline_stage', value: 'Contacted' }],
      status: 'ACTIVE',
    })
    expect(workflow.status, JSON.stringify(workflow.body)).toBe(201)
    const lead = await hunt.lead()
    const added = hunt.row({ lead_id: lead.id })
    const { domain, id } = added
    hunt.sites.set(domain, site(domain, ...acme))
    await hunt.add(added)
    await hunt.settle()
    const first = await hunt.read(id)
    hunt.sites.set(domain, site(domain, acme[0]!, acme[1]!, fact('technology', 'Magento')))
    const second = await again(id)
    expect(second.changed_at).toBe(hunt.ada.ctx.now())
    expect(second.data.facts.map(({ value, at }) => [value, at])).toEqual([
      ['Acme', first.crawled_at],
      ['hello@acme.test', first.crawled_at],
      ['Magento', second.crawled_at],
    ])
    const [told, ...others] = await hunt.events(id, 'candidate.facts_changed')
    expect(others).toEqual([])
    expect(told).toMatchObject({
      lead_id: lead.id,
      data: { domain, name: 'Acme', added: [{ value: 'Magento' }], gone: [{ value: 'Shopify' }] },
    })
    expect(await hunt.timeline(lead.id)).toEqual(expect.arrayContaining(['candidate.facts_changed']))
    const { pipeline_stage } = (await hunt.api.get(`/api/crm/leads/${lead.id}`)).body
    expect(pipeline_stage).toBe('Contacted')
    await hunt.api.delete(`/api/crm/workflows/${workflow.body.id}`)
  })

  test(`of a whole new site ${CHANGES_TOLD_MAX} changes of either side are told`, async () => {
    const added = hunt.row()
    const people = (count: number, of: string) =>
      Array.from({ length: count }, (_, n) => fact('person', `${of} ${n}`))
    hunt.sites.set(added.domain, site(added.domain, ...people(CHANGES_TOLD_MAX, 'Old')))
    await hunt.add(added)
    await hunt.settle()
    hunt.sites.set(added.domain, site(added.domain, ...people(CHANGES_TOLD_MAX + 1, 'New')))
    const { id, facts_count } = await again(added.id)
    expect(facts_count).toBe(CHANGES_TOLD_MAX + 1)
    const [told] = await hunt.events(id, 'candidate.facts_changed')
    expect([told!.data.added.length, told!.data.gone.length]).toEqual([CHANGES_TOLD_MAX, CHANGES_TOLD_MAX])
  })

  test('a name that a person gave stays, and one that the site gave goes with the site', async () => {
    const [named, unnamed] = [hunt.row(), hunt.row()]
    for (const { domain } of [named, unnamed]) hunt.sites.set(domain, site(domain, fact('name', 'Acme')))
    await hunt.add(named)
    await hunt.add(unnamed)
    await hunt.settle()
    await hunt.ada.ctx.transaction(async ctx => records.update(ctx, named.id, { name: 'Our Acme' }))
    for (const { domain } of [named, unnamed]) hunt.sites.set(domain, site(domain, fact('name', 'Globex')))
    hunt.clock.advance(STALE_DAYS * DAY_MS)
    await hunt.enrich()
    await hunt.settle()
    expect((await hunt.read(named.id)).name).toBe('Our Acme')
    expect((await hunt.read(unnamed.id)).name).toBe('Globex')
  })

  test('failures wait longer each time, keep what is known, cost nothing, and are news once', async () => {
    const lead = await hunt.lead()
    const added = hunt.row({ lead_id: lead.id })
    const { domain, id } = added
    hunt.sites.set(domain, site(domain, ...acme))
    await hunt.add(added)
    await hunt.settle()
    const first = await hunt.read(id)
    hunt.sites.set(domain, { outcome: 'failed', reason: 'It moved.', passing: false })
    for (const [at, days] of [...BACKOFF_DAYS, BACKOFF_DAYS.at(-1)!].entries()) {
      const after = await again(id)
      expect(after).toMatchObject({
        status: 'FAILED',
        failures: at + 1,
        error: 'It moved.',
        crawled_at: first.crawled_at,
        next_crawl_at: inDays(days),
        data: first.data,
      })
    }
    expect((await hunt.timeline(lead.id)).filter(type => type === 'candidate.crawled')).toHaveLength(2)
    hunt.sites.set(domain, unchanged(domain))
    expect(await again(id)).toMatchObject({ status: 'CRAWLED', failures: 0, error: null, data: first.data })
    expect((await hunt.timeline(lead.id)).filter(type => type === 'candidate.crawled')).toHaveLength(3)
    expect(await hunt.booked(id)).toEqual(['use'])
  })

  test('one that has vanished is GONE, keeps its facts, and is looked for after 90 days', async () => {
    const added = hunt.row()
    hunt.sites.set(added.domain, site(added.domain, ...acme))
    const { id } = await hunt.add(added)
    await hunt.settle()
    const first = await hunt.read(id)
    hunt.sites.delete(added.domain)
    expect(await again(id)).toMatchObject({
      status: 'GONE',
      error: 'Host not found.',
      data: first.data,
      facts_count: 3,
      deleted_at: null,
      next_crawl_at: inDays(STALE_DAYS),
    })
    expect(
      await hunt.app.database.query('select from candidate_pages where candidate_id = $1', [id]),
    ).toHaveLength(1)
    hunt.sites.set(added.domain, { outcome: 'blocked', reason: 'Its robots.txt says so.' })
    expect(await again(id)).toMatchObject({
      status: 'BLOCKED',
      facts_count: 3,
      next_crawl_at: inDays(STALE_DAYS),
    })
  })
})

describe('a passing failure', () => {
  test(`is tried ${CRAWL_TRIES_MAX} times, says why meanwhile, and gives its credit back once`, async () => {
    const added = hunt.row()
    hunt.sites.set(added.domain, { outcome: 'failed', reason: 'It took too long.', passing: true })
    const { id, url } = await hunt.add(added)
    const tries = () => hunt.crawled.filter(asked => asked === url).length
    for (let attempt = 1; attempt < CRAWL_TRIES_MAX; attempt++) {
      await hunt.settle()
      expect(tries()).toBe(attempt)
      expect(await hunt.read(id)).toMatchObject({ status: 'CRAWLING', error: 'It took too long.' })
      expect(await hunt.booked(id)).toEqual(['use'])
      hunt.clock.advance(60_000)
    }
    await hunt.settle()
    expect(tries()).toBe(CRAWL_TRIES_MAX)
    expect(await hunt.read(id)).toMatchObject({ status: 'FAILED', failures: 1, error: 'It took too long.' })
    expect(await hunt.booked(id)).toEqual(['use', 'refund'])
    expect(await hunt.events(id, 'candidate.crawled')).toHaveLength(1)
    // A site that is down is nothing that an operator should look after.
    expect(await hunt.app.database.query(`select from jobs where state = 'dead'`)).toEqual([])
  })

  test('that passes is no failure', async () => {
    const added = hunt.row()
    let asked = 0
    hunt.sites.set(added.domain, () =>
      ++asked === 1 ? { outcome: 'failed', reason: 'Busy.', passing: true } : site(added.domain, ...acme),
    )
    await hunt.add(added)
    await hunt.settle()
    hunt.clock.advance(60_000)
    await hunt.settle()
    expect(await hunt.read(added.id)).toMatchObject({ status: 'CRAWLED', failures: 0, error: null })
  })

  test('a crawler that breaks is given up too: the candidate says so, and the credit is back', async () => {
    const added = hunt.row()
    hunt.sites.set(added.domain, () => Promise.reject(new Error('the crawler is broken')))
    await hunt.add(added)
    for (let attempt = 1; attempt <= CRAWL_TRIES_MAX; attempt++) {
      await hunt.settle()
      hunt.clock.advance(60_000)
    }
    expect(await hunt.read(added.id)).toMatchObject({
      status: 'FAILED',
      error: 'The crawl failed too many times.',
    })
    expect(await hunt.booked(added.id)).toEqual(['use', 'refund'])
    await hunt.app.database.query(`delete from jobs where state = 'dead'`)
  })
})

describe('while a site is read', () => {
  test('the candidate says so, and no second crawl of it is done', async () => {
    const added = hunt.row()
    const slow = slowSite(added.domain)
    await hunt.add(added)
    await slow.isAsked(1)
    expect(await hunt.read(added.id)).toMatchObject({ status: 'CRAWLING', error: null })
    slow.answer(site(added.domain, ...acme))
    await hunt.is(added.id, { status: 'CRAWLED' })
    // The same job once more, as after a worker that died between its effect and its end.
    await hunt.ada.ctx.transaction(async ctx => queueCrawl(ctx, await hunt.read(added.id)))
    await hunt.settle()
    expect(slow.asked).toHaveLength(1)
  })

  test('and put into the trash meanwhile, nothing of it is written, and it costs nothing', async () => {
    const added = hunt.row()
    const slow = slowSite(added.domain)
    await hunt.add(added)
    await slow.isAsked(1)
    await trashCandidate(hunt.ada.ctx, added.id)
    slow.answer(site(added.domain, ...acme))
    await hunt.settle()
    expect(await hunt.read(added.id)).toMatchObject({ status: 'FAILED', facts_count: 0, crawled_at: null })
    expect(await hunt.booked(added.id)).toEqual(['use', 'refund'])
    expect(await hunt.events(added.id, 'candidate.crawled')).toEqual([])
    expect(
      await hunt.app.database.query('select from candidate_pages where candidate_id = $1', [added.id]),
    ).toEqual([])
  })

  test('one in the trash is not read at all, and one that had been read is due when it comes back', async () => {
    const added = hunt.row()
    hunt.sites.set(added.domain, site(added.domain, ...acme))
    await hunt.add(added)
    await hunt.settle()
    await hunt.ada.ctx.transaction(async ctx => {
      const candidate = await records.getForChange(ctx, added.id)
      queueCrawl(ctx, records.write(ctx, candidate, { status: 'QUEUED', crawls: 2, next_crawl_at: null }))
      await trashCandidate(ctx, added.id)
    })
    const asked = hunt.crawled.length
    await hunt.settle()
    expect(hunt.crawled).toHaveLength(asked)
    expect(await hunt.enrich()).toMatchObject({ claimed: 0 })
    await restoreCandidate(hunt.ada.ctx, added.id)
    expect(await hunt.enrich()).toMatchObject({ claimed: 1 })
    await hunt.settle()
    expect(await hunt.read(added.id)).toMatchObject({ status: 'CRAWLED', facts_count: 3 })
  })

  test('one that went to the trash by whatever way while it waited is left alone', async () => {
    const added = hunt.row({ deleted_at: hunt.ada.ctx.now() })
    hunt.sites.set(added.domain, site(added.domain, ...acme))
    await hunt.add(added)
    const asked = hunt.crawled.length
    await hunt.settle()
    expect(hunt.crawled).toHaveLength(asked)
    expect(await hunt.read(added.id)).toMatchObject({ updated_at: added.updated_at, crawled_at: null })
  })

  test('and asked for anew meanwhile, the older one writes nothing', async () => {
    const added = hunt.row()
    const slow = slowSite(added.domain)
    await hunt.add(added)
    await slow.isAsked(1)
    await hunt.ada.ctx.transaction(async ctx => {
      const candidate = await records.getForChange(ctx, added.id)
      queueCrawl(ctx, records.write(ctx, candidate, { status: 'QUEUED', crawls: 2 }))
    })
    await slow.isAsked(2)
    slow.answer(site(added.domain, fact('name', 'Old')))
    slow.answer(site(added.domain, fact('name', 'New')))
    await hunt.settle()
    expect(await hunt.read(added.id)).toMatchObject({ name: 'New', facts_count: 1 })
    expect(await hunt.events(added.id, 'candidate.crawled')).toHaveLength(1)
  })

  test('however many wait, mails go out beside them', async () => {
    const many = Array.from({ length: CRAWLS_AT_ONCE + 5 }, () => hunt.row())
    const slow = many.map(({ domain }) => slowSite(domain))
    const asked = () => slow.reduce((sum, { asked }) => sum + asked.length, 0)
    for (const each of many) await hunt.add(each)
    // Those that found no place wait in the queue, and hold none.
    await eventually(async () => {
      const [{ waiting } = { waiting: 0 }] = await hunt.app.database.query<{ waiting: number }>(
        `select count(*)::int as waiting from jobs where kind = $1 and owner is null and run_at > $2`,
        [CRAWL_JOB, hunt.ada.ctx.now()],
      )
      expect(waiting).toBe(5)
    })
    expect(asked()).toBe(CRAWLS_AT_ONCE)
    for (const [at, { domain }] of many.entries()) {
      hunt.sites.set(domain, site(domain, ...acme))
      if (slow[at]!.asked.length > 0) slow[at]!.answer(site(domain, ...acme))
    }
    // Only then does the hour pass: what is in hand would lose its lease, and those that wait would find no place again.
    await eventually(async () => {
      const inHand = 'select from jobs where kind = $1 and owner is not null'
      expect(await hunt.app.database.query(inHand, [CRAWL_JOB])).toEqual([])
    })
    hunt.clock.advance(HOUR_MS)
    await hunt.settle()
    for (const { id } of many) expect(await hunt.read(id)).toMatchObject({ status: 'CRAWLED', crawls: 1 })
  })
})

describe('a worker', () => {
  test('that died in the middle costs nothing: the next one does it, once', async () => {
    const added = hunt.row()
    const slow = slowSite(added.domain)
    await hunt.add(added)
    await slow.isAsked(1)
    // It is given to another by the lease's end; the first wakes up when the other has written.
    const freed = await hunt.app.database.query(
      `update jobs set owner = 'somebody who died', run_at = $2 where kind = $1 returning id`,
      [CRAWL_JOB, hunt.ada.ctx.in(LEASE_MS)],
    )
    expect(freed).toHaveLength(1)
    hunt.clock.advance(LEASE_MS)
    await slow.isAsked(2)
    const [first, second] = [site(added.domain, fact('name', 'Lost')), site(added.domain, ...acme)]
    slow.answer(first)
    slow.answer(second)
    await hunt.settle()
    expect(await hunt.read(added.id)).toMatchObject({ status: 'CRAWLED', name: 'Acme', crawls: 1 })
    expect(await hunt.events(added.id, 'candidate.crawled')).toHaveLength(1)
    expect(await hunt.booked(added.id)).toEqual(['use'])
  })
})
