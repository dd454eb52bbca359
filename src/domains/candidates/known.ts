import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import type { FoundFact } from '#platform/ports/crawler.ts'
import { filledFields } from '#platform/records.ts'
import { newCandidate } from './add-candidates.ts'
import { candidateEvents, type Candidate } from './contract.ts'
import { findPages } from './crawl-store.ts'
import * as domains from './domain-store.ts'
import { settleRead } from './settle-crawl.ts'
import { records, shown } from './store.ts'

export type KnownSite = { url: string; pages: { url: string; facts: FoundFact[] }[] }

/**
 * Facts supplied from elsewhere, without crawling: no host is contacted and no credit is used. It counts as a
 * crawl, so a second one of a domain detects changes; but such a site is never crawled automatically.
 */
export async function keepKnown(ctx: Context, { url, pages }: KnownSite): Promise<Candidate> {
  return ctx.transaction(async ctx => {
    const domain = new URL(url).host
    await domains.lockDomains(ctx)
    const [known] = await domains.findByDomains(ctx, [domain])
    const candidate = known ?? newCandidate(ctx, { url, domain, origin: 'added', lead_id: null })
    if (!known) {
      records.insert(ctx, candidate)
      const { data: _data, ...fields } = shown(candidate)
      record(ctx, candidateEvents.created, records.about(candidate), { candidate: filledFields(fields) })
    }
    const read = pages.map(page => ({ ...page, etag: null, last_modified: null, unchanged: false }))
    const after = settleRead(ctx, candidate, await findPages(ctx, candidate.id), { pages: read })
    return shown(records.write(ctx, after, { next_crawl_at: null }))
  })
}
