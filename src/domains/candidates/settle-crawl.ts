import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import type { ReadPage } from '#platform/ports/crawler.ts'
import { refundCredits } from '#domains/credits/service.ts'
import { candidateCrawled, candidateFactsChanged } from './contract.ts'
import { replacePages } from './crawl-store.ts'
import {
  changesOf,
  CHANGES_TOLD_MAX,
  factsOf,
  pagesAfter,
  siteNameOf,
  summaryOf,
  type SitePage,
} from './facts.ts'
import { scoreOf } from './score.ts'
import { records, type CandidateRow } from './store.ts'
import { STALE_DAYS } from './values.ts'

const DAY_MS = 86_400_000
const ERROR_LENGTH_MAX = 500

/** When a site that was read before and could not be read now is tried again: the last serves for all that follow. */
export const BACKOFF_DAYS = [1, 3, 7, 30, 90] as const

/** By what the credit of a crawl is known: used once, and given back once. */
export const creditOf = ({ id, crawls }: Pick<CandidateRow, 'id' | 'crawls'>): string =>
  `crawl:${id}:${crawls}`

/** The site was read: what its pages say now is what is known of the company. */
export function settleRead(
  ctx: Context,
  candidate: CandidateRow,
  known: readonly SitePage[],
  { pages: read }: { pages: readonly ReadPage[] },
): CandidateRow {
  const now = ctx.now()
  const { data, domain, crawled_at, changed_at, failures } = candidate
  const pages = pagesAfter(known, read, now)
  const facts = factsOf(pages, data.facts)
  const changes = changesOf(data.facts, facts)
  const { score, points } = scoreOf(facts, domain)
  replacePages(ctx, candidate.id, pages)
  const after = records.write(ctx, candidate, {
    status: 'CRAWLED',
    name: nameAfter(candidate, siteNameOf(facts)),
    ...summaryOf(facts, domain),
    data: { facts, score: points },
    facts_count: facts.length,
    score,
    crawled_at: now,
    changed_at: changes ? now : changed_at,
    next_crawl_at: ctx.in(STALE_DAYS * DAY_MS),
    failures: 0,
    error: null,
  })
  // Unchanged facts are not news for the lead's timeline; changes have their own event.
  tellCrawled(ctx, after, crawled_at === null || failures > 0)
  if (changes && crawled_at !== null) {
    const { name } = after
    const [added, gone] = [changes.added, changes.gone].map(list => list.slice(0, CHANGES_TOLD_MAX))
    record(ctx, candidateFactsChanged, records.about(after), { domain, name, added: added!, gone: gone! })
  }
  return after
}

/** Nothing could be read. What was known stays, and a first crawl costs nothing. */
export async function settleInVain(
  ctx: Context,
  candidate: CandidateRow,
  status: 'BLOCKED' | 'GONE' | 'FAILED',
  reason: string,
): Promise<void> {
  const { crawled_at, failures } = candidate
  const error = reason.slice(0, ERROR_LENGTH_MAX).toWellFormed()
  const after = records.write(ctx, candidate, {
    status,
    error,
    failures: failures + 1,
    next_crawl_at: crawled_at === null ? null : ctx.in(waitDays(status, failures + 1) * DAY_MS),
  })
  // That it still fails is no news.
  tellCrawled(ctx, after, failures === 0)
  if (crawled_at === null) await refundCredits(ctx, { reference: creditOf(candidate), note: error })
}

/** A name that a person gave stays; one that the site gave goes with the site. */
function nameAfter({ name, data }: CandidateRow, siteName: string | null): string | null {
  return name === null || name === siteNameOf(data.facts) ? siteName : name
}

/** Who asks us to stay away, or is not there any more, is left in peace for as long as one that was read. */
function waitDays(status: 'BLOCKED' | 'GONE' | 'FAILED', failures: number): number {
  if (status !== 'FAILED') return STALE_DAYS
  return BACKOFF_DAYS[Math.min(failures, BACKOFF_DAYS.length) - 1]!
}

function tellCrawled(ctx: Context, candidate: CandidateRow, isNews: boolean): void {
  const { domain, name, status, facts_count, error } = candidate
  const about = records.about(candidate)
  record(ctx, candidateCrawled, isNews ? about : { ...about, lead_id: null }, {
    domain,
    name,
    status,
    facts: facts_count,
    reason: error,
  })
}
