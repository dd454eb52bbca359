import { expect } from 'vitest'
import { FakeClock } from '#platform/clock.ts'
import type { Crawled, FactKind, FoundFact } from '#platform/ports/crawler.ts'
import { useCredits } from '#domains/credits/service.ts'
import { startApp, type AppOptions, type Person, type TestApp } from '#test/app.ts'
import { client, type Client } from '#test/client.ts'
import { eventually } from '#test/eventually.ts'
import { settle } from '#test/settle.ts'
import { newCandidate } from './add-candidates.ts'
import { creditOf, queueCrawl } from './crawling.ts'
import { records, type CandidateRow } from './store.ts'
import { CRAWL_CREDITS } from './values.ts'

export const DAY_MS = 86_400_000
export const HOUR_MS = 3_600_000

/** A team that looks for customers, on a clock that the test moves. */
export type Hunt = Awaited<ReturnType<typeof startHunt>>

export async function startHunt(options: AppOptions & { clock?: FakeClock } = {}) {
  const clock = options.clock ?? new FakeClock('2026-03-02T09:00:00.000Z')
  const app: TestApp = await startApp({ ...options, clock })
  const ada: Person = await app.person()
  const api: Client = await ada.key()
  const cron = client(app.url, { authorization: 'Bearer cron-secret-of-the-tests' })
  let count = 0

  /** As it stands before its first crawl, and not queued yet. */
  function row(fields: Partial<CandidateRow> = {}): CandidateRow {
    const domain = fields.domain ?? `site${++count}.example.test`
    const site = { url: `https://${domain}/`, domain }
    return { ...newCandidate(ada.ctx, { ...site, origin: 'added', lead_id: null }), ...fields }
  }

  /** Adds them as they are, for the person's team or another's. */
  async function keep(rows: readonly CandidateRow[], { ctx }: Person = ada): Promise<void> {
    await ctx.transaction(async ctx => records.insertAll(ctx, rows))
  }

  /** Adds a candidate for a credit, and asks for its first crawl. */
  async function add(fields: Partial<CandidateRow> = {}): Promise<CandidateRow> {
    const candidate = row(fields)
    await ada.ctx.transaction(async ctx => {
      records.insert(ctx, candidate)
      await useCredits(ctx, { amount: CRAWL_CREDITS, reference: creditOf(candidate), note: candidate.domain })
      queueCrawl(ctx, candidate)
    })
    return candidate
  }

  async function lead(fields: object = {}): Promise<{ id: string }> {
    const made = await api.post('/api/crm/leads', { company: 'Acme', ...fields })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body
  }

  const read = async (id: string): Promise<CandidateRow> => (await records.find(ada.ctx, id))!

  return {
    app,
    clock,
    ada,
    api,
    row,
    keep,
    add,
    lead,
    read,
    sites: app.ports.crawler.sites,
    crawled: app.ports.crawler.crawled,
    settle: () => settle(app),
    is: (id: string, fields: object) => eventually(async () => expect(await read(id)).toMatchObject(fields)),
    enrich: async (): Promise<Record<string, number>> => {
      const { status, body } = await cron.post('/api/cron/enrichment')
      expect(status, JSON.stringify(body)).toBe(200)
      return body.processed
    },
    events: (id: string, type: string) =>
      app.database.query<{ lead_id: string | null; data: any }>(
        `select lead_id, data from events where subject_id = $1 and type = $2 order by id`,
        [id, type],
      ),
    timeline: async (lead_id: string): Promise<string[]> =>
      (await api.get(`/api/crm/leads/${lead_id}/timeline`)).body.data.map(
        ({ type }: { type: string }) => type,
      ),
    /** What stands in the ledger for its crawls, in the order it was booked: `use`, `refund`. */
    booked: async (id: string): Promise<string[]> =>
      (
        await app.database.query<{ kind: string }>(
          `select kind from credit_entries where reference like $1 order by place`,
          [`crawl:${id}:%`],
        )
      ).map(({ kind }) => kind),
    close: () => app.close(),
  }
}

export const fact = (kind: FactKind, value: string, label: string | null = null): FoundFact => ({
  kind,
  label,
  value,
})

/** A site of one page, with these facts on it. */
export const site = (host: string, ...facts: FoundFact[]): Crawled => ({
  outcome: 'read',
  url: `https://${host}/`,
  pages: [{ url: `https://${host}/`, etag: '"1"', last_modified: null, unchanged: false, facts }],
  skipped: [],
})

/** The same site, which says that it has not changed. */
export const unchanged = (host: string): Crawled => ({
  outcome: 'read',
  url: `https://${host}/`,
  pages: [{ url: `https://${host}/`, etag: '"1"', last_modified: null, unchanged: true, facts: [] }],
  skipped: [],
})
