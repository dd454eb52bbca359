import { afterAll, describe, expect, test } from 'vitest'
import { systemContext } from '#platform/context.ts'
import { TRASH_LIFE_MS } from '#platform/records.ts'
import { readCredits, useCredits } from '#domains/credits/service.ts'
import { expectProblem } from '#test/problem.ts'
import { inOrder } from '#test/in-order.ts'
import { DAY_MS, HOUR_MS, startHunt } from './candidates.harness.ts'
import { sweeps } from './jobs.ts'
import type { CandidateRow } from './store.ts'

inOrder()

const PATH = '/api/crm/candidates'
// Without a worker: nobody reads sites here.
const hunt = await startHunt({ role: 'api' })
const { api, ada, app, clock } = hunt
afterAll(() => hunt.close())

const create = async (address: string) => {
  const reply = await api.post(PATH, { address })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}
const kept = async (fields: Partial<CandidateRow>) => {
  const row = hunt.row(fields)
  await hunt.keep([row])
  return row
}
const balance = async () => (await readCredits(ada.ctx)).balance
const crawl = (id: string) => api.post(`${PATH}/${id}/crawl`)
const crawlsAsked = async (id: string) =>
  (
    await app.database.query<{ crawl: number }>(
      `select (data ->> 'crawl')::int as crawl from jobs where kind = 'candidates.crawl' and data ->> 'candidate_id' = $1
       order by 1`,
      [id],
    )
  ).map(({ crawl }) => crawl)

describe('a crawl by hand', () => {
  test('waits for one that is under way', async () => {
    for (const status of ['QUEUED', 'CRAWLING'] as const) {
      const { id } = await kept({ status })
      expectProblem(await crawl(id), 409, 'crawl_under_way')
      expect(await crawlsAsked(id)).toEqual([])
    }
  })

  test('waits for a day after the site was read, to the millisecond, and says until when', async () => {
    const { id } = await kept({
      status: 'CRAWLED',
      crawled_at: ada.ctx.now(),
      next_crawl_at: ada.ctx.in(90 * DAY_MS),
    })
    const again = ada.ctx.in(24 * HOUR_MS)
    clock.advance(24 * HOUR_MS - 1)
    expect(expectProblem(await crawl(id), 409, 'crawled_recently').detail).toContain(`from ${again}`)
    clock.advance(1)
    const before = await balance()
    expect(await crawl(id)).toMatchObject({ status: 200, body: { status: 'QUEUED', next_crawl_at: null } })
    expect(await crawlsAsked(id)).toEqual([2])
    expect(await balance(), 'what was read once costs nothing again').toBe(before)
    expectProblem(await crawl(id), 409, 'crawl_under_way')
  })

  test('costs a credit where nothing was ever read', async () => {
    const { id, domain } = await kept({ status: 'FAILED', failures: 1, error: 'No answer' })
    const before = await balance()
    expect((await crawl(id)).status).toBe(200)
    expect(await balance()).toBe(before - 1)
    expect((await readCredits(ada.ctx)).entries[0]).toMatchObject({
      reference: `crawl:${id}:2`,
      note: domain,
    })
  })

  test('is refused where there is no credit for it, and changes nothing', async () => {
    const poor = await app.person()
    await useCredits(poor.ctx, { amount: 100, reference: 'before', note: null })
    const row = hunt.row({ status: 'BLOCKED' })
    await hunt.keep([row], poor)
    expectProblem(await poor.browser.post(`${PATH}/${row.id}/crawl`), 402, 'out_of_credits')
    expect((await poor.browser.get(`${PATH}/${row.id}`)).body).toMatchObject({ status: 'BLOCKED' })
    expect(await crawlsAsked(row.id)).toEqual([])
  })

  test('of ten at once is one, and costs once', async () => {
    const { id } = await kept({ status: 'GONE' })
    // Every connection is open already, so that they really run side by side.
    await Promise.all(Array.from({ length: 40 }, () => api.get(PATH)))
    const before = await balance()
    const replies = await Promise.all(Array.from({ length: 10 }, () => crawl(id)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
    expect(await crawlsAsked(id)).toEqual([2])
    expect(await balance()).toBe(before - 1)
  })
})

describe('a name', () => {
  test('that a person gives is kept; without one it is called as its site says', async () => {
    const fact = {
      kind: 'name' as const,
      label: null,
      value: 'Acme',
      url: 'https://a.example/',
      at: ada.ctx.now(),
    }
    const { id } = await kept({ status: 'CRAWLED', name: 'Acme', data: { facts: [fact], score: [] } })
    const change = async (name: string | null) => (await api.patch(`${PATH}/${id}`, { name })).body.name
    expect(await change('The rocket people')).toBe('The rocket people')
    expect(await change(null)).toBe('Acme')
    expect(await hunt.events(id, 'candidate.changed')).toHaveLength(2)
    const { id: unread } = await kept({})
    await api.patch(`${PATH}/${unread}`, { name: 'x' })
    expect((await api.patch(`${PATH}/${unread}`, { name: null })).body.name).toBeNull()
  })
})

describe('the trash', () => {
  test('keeps a candidate for thirty days, and gives it back as it was', async () => {
    const row = await kept({ status: 'CRAWLED', name: 'Kept', crawled_at: ada.ctx.now() })
    const before = (await api.get(`${PATH}/${row.id}`)).body
    expect((await api.delete(`${PATH}/${row.id}`)).status).toBe(204)
    expectProblem(await api.get(`${PATH}/${row.id}`), 404, 'in_trash')
    expect((await api.get(`${PATH}?domain=${row.domain}`)).body.data).toEqual([])
    expect((await api.get(`${PATH}?trashed=true&domain=${row.domain}`)).body.data).toHaveLength(1)
    const restored = await api.post(`${PATH}/${row.id}/restore`)
    expect(restored.body).toEqual({ ...before, updated_at: restored.body.updated_at })

    await api.delete(`${PATH}/${row.id}`)
    const sweep = () => sweeps[0]!.run(systemContext(app.runtime, ada.team_id))
    clock.advance(TRASH_LIFE_MS)
    expect(await sweep()).toBe(0)
    clock.advance(1)
    expect(await sweep()).toBe(1)
    expectProblem(await api.post(`${PATH}/${row.id}/restore`), 404, 'not_found')
  })

  test('frees the domain; who took it meanwhile keeps it', async () => {
    const first = await create('taken.example')
    await api.delete(`${PATH}/${first.id}`)
    const second = await create('taken.example')
    const back = await api.post(`${PATH}/${first.id}/restore`)
    expect(expectProblem(back, 409, 'candidate_exists').errors).toEqual([
      { path: 'domain', message: `belongs to candidate ${second.id}` },
    ])
    expect((await api.get(`${PATH}?trashed=true&id=${first.id}`)).body.data).toHaveLength(1)
    await api.delete(`${PATH}/${second.id}`)
    expect((await api.post(`${PATH}/${first.id}/restore`)).status).toBe(200)
  })

  test('of one that is restored and one that is added at once, one lives', async () => {
    for (let round = 0; round < 5; round++) {
      const address = `race${round}.example`
      const first = await create(address)
      await api.delete(`${PATH}/${first.id}`)
      const replies = await Promise.all([
        api.post(`${PATH}/${first.id}/restore`),
        api.post(PATH, { address }),
      ])
      expect(replies.map(({ status }) => status).filter(status => status === 409)).toHaveLength(1)
      expect((await api.get(`${PATH}?domain=${address}`)).body.data).toHaveLength(1)
    }
  })

  test('gives the credit of a first crawl back that nobody waits for any more', async () => {
    const before = await balance()
    const { id } = await create('unwanted.example')
    expect(await balance()).toBe(before - 1)
    await api.delete(`${PATH}/${id}`)
    expect(await balance()).toBe(before)
    const restored = await api.post(`${PATH}/${id}/restore`)
    expect(restored.body).toMatchObject({ status: 'FAILED', error: expect.stringContaining('trash') })
    // Its job finds nothing to do, and a new one can be asked for.
    expect((await hunt.read(id)).crawls).toBe(2)
    expect((await crawl(id)).status).toBe(200)
    expect(await crawlsAsked(id)).toEqual([1, 3])
    expect(await balance()).toBe(before - 1)
  })

  test('ends a later crawl, which is due again when the candidate is back', async () => {
    const before = await balance()
    const { id } = await kept({ status: 'QUEUED', crawls: 4, crawled_at: ada.ctx.in(-90 * DAY_MS) })
    await api.delete(`${PATH}/${id}`)
    const { body } = await api.post(`${PATH}/${id}/restore`)
    expect(body).toMatchObject({ status: 'CRAWLED', next_crawl_at: ada.ctx.now() })
    expect((await hunt.read(id)).crawls).toBe(5)
    expect(await balance()).toBe(before)
  })
})
