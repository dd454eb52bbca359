import type { Context } from '#platform/context.ts'
import { announce } from '#platform/events.ts'
import { enqueueAll, fence, handBack, type Job } from '#platform/jobs/queue.ts'
import type { Crawled } from '#platform/ports/crawler.ts'
import { findPages } from './crawl-store.ts'
import type { SitePage } from './facts.ts'
import { handsOf } from './hands.ts'
import { mannersOf } from './manners.ts'
import { settleInVain, settleRead } from './settle-crawl.ts'
import { records, type CandidateRow } from './store.ts'

export { creditOf } from './settle-crawl.ts'

export const CRAWL_JOB = 'candidates.crawl'
/** How often a site that may answer in a while is asked before it is given up. */
export const CRAWL_TRIES_MAX = 3
/** The crawler has its own limits; this one is a safety net. */
const CRAWL_TIME_MAX_MS = 180_000

type Asked = Pick<CandidateRow, 'id' | 'crawls'>

/** In the transaction that has written the row as queued: its site is read as soon as there is a hand free. */
export function queueCrawl(ctx: Context, candidate: Asked): void {
  queueCrawls(ctx, [candidate])
}

export function queueCrawls(ctx: Context, candidates: readonly Asked[]): void {
  enqueueAll(
    ctx,
    candidates.map(({ id, crawls }) => ({ kind: CRAWL_JOB, data: { candidate_id: id, crawl: crawls } })),
  )
}

/**
 * Reads a site. While it is read, no transaction is open; what came of it is written in one, which the database refuses
 * to a worker that has lost the job meanwhile. One that dies in between leaves it to the next.
 */
export async function crawl(ctx: Context, job: Job): Promise<void> {
  const hands = handsOf(ctx.runtime)
  if (!(await hands.take())) return handBack(ctx, [job], { run_at: ctx.in(hands.backInMs()) })
  try {
    await crawlNow(ctx, job, hands.stopping.signal)
  } finally {
    hands.giveBack()
  }
}

/** Its job was given up: the candidate must not seem to be under way for ever. */
export async function loseCrawl(ctx: Context, job: Job): Promise<void> {
  const candidate = await lockOurs(ctx, job)
  if (!candidate) return
  await settleInVain(ctx, candidate, 'FAILED', candidate.error ?? 'The crawl failed too many times.')
}

async function crawlNow(ctx: Context, job: Job, stopping: AbortSignal): Promise<void> {
  const begun = await begin(ctx, job)
  if (!begun) return
  const crawled = await read(ctx, begun, stopping)
  // Interrupted because this process is stopping: it does not count as an attempt, and the next worker starts
  // over.
  if (stopping.aborted && crawled.outcome === 'failed') return handBack(ctx, [job])
  if (crawled.outcome === 'failed' && crawled.passing && job.attempts < CRAWL_TRIES_MAX)
    return tryAgain(ctx, job, crawled.reason)
  await ctx.transaction(async ctx => {
    fence(ctx, job)
    const candidate = await lockOurs(ctx, job)
    if (!candidate) return
    if (crawled.outcome === 'read') settleRead(ctx, candidate, begun.pages, crawled)
    else await settleInVain(ctx, candidate, statusOf[crawled.outcome], crawled.reason)
  })
}

const statusOf = { blocked: 'BLOCKED', gone: 'GONE', failed: 'FAILED' } as const

type Begun = { candidate: CandidateRow; pages: SitePage[] }

async function begin(ctx: Context, job: Job): Promise<Begun | undefined> {
  return ctx.transaction(async ctx => {
    fence(ctx, job)
    const candidate = await lockOurs(ctx, job)
    if (!candidate) return undefined
    // Another worker had started and died: the crawl starts over.
    if (candidate.status === 'QUEUED') {
      records.write(ctx, candidate, { status: 'CRAWLING', error: null })
      announce(ctx, 'leads:read', 'candidate.crawling', { kind: 'candidate', id: candidate.id }, {})
    }
    return { candidate, pages: await findPages(ctx, candidate.id) }
  })
}

async function read(ctx: Context, { candidate, pages }: Begun, stopping: AbortSignal): Promise<Crawled> {
  return ctx.runtime.ports.crawler.crawl({
    url: candidate.url,
    known: pages.map(({ url, etag, last_modified }) => ({ url, etag, last_modified })),
    manners: mannersOf(ctx),
    signal: AbortSignal.any([stopping, AbortSignal.timeout(CRAWL_TIME_MAX_MS)]),
  })
}

/** Viewers see why it takes longer, and the queue retries it. */
async function tryAgain(ctx: Context, job: Job, reason: string): Promise<never> {
  await ctx.transaction(async ctx => {
    fence(ctx, job)
    const candidate = await lockOurs(ctx, job)
    if (candidate) records.write(ctx, candidate, { error: reason })
  })
  throw new Error(reason)
}

/** The candidate whose crawl this job is, unless that is done, another was asked for, or nobody wants it any more. */
async function lockOurs(ctx: Context, job: Job): Promise<CandidateRow | undefined> {
  const { candidate_id, crawl } = job.data as { candidate_id: string; crawl: number }
  const [candidate] = await records.lockAll(ctx, [candidate_id])
  if (!candidate || candidate.deleted_at || candidate.crawls !== crawl) return undefined
  return candidate.status === 'QUEUED' || candidate.status === 'CRAWLING' ? candidate : undefined
}
