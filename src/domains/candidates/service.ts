import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { nextVersion } from '#platform/version.ts'
import { refundCredits, useCredits } from '#domains/credits/service.ts'
import { candidateExists, costOf } from './add-candidates.ts'
import type { Candidate, CandidateChange } from './contract.ts'
import { creditOf, queueCrawl } from './crawling.ts'
import * as domains from './domain-store.ts'
import { siteNameOf } from './facts.ts'
import { records, shown, type CandidateRow } from './store.ts'
import { RECRAWL_PAUSE_HOURS } from './values.ts'

const HOUR_MS = 3_600_000

export async function getCandidate(ctx: Context, id: string): Promise<Candidate> {
  return shown(await records.get(ctx, id))
}

/** A name that is taken away gives way to the one that the site says. */
export async function changeCandidate(
  ctx: Context,
  id: string,
  { name }: CandidateChange,
  ifMatch?: string,
): Promise<Candidate> {
  return ctx.transaction(async ctx => {
    const candidate = await records.getForChange(ctx, id, ifMatch)
    return shown(records.change(ctx, candidate, { name: name ?? siteNameOf(candidate.data.facts) }))
  })
}

/** A crawl that is under way is given up with it: nobody pays for what nobody wants to know. */
export async function trashCandidate(ctx: Context, id: string, ifMatch?: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const candidate = await records.getForChange(ctx, id, ifMatch)
    if (isUnderWay(candidate)) await giveUp(ctx, candidate)
    await records.trash(ctx, id)
  })
}

/** If its domain was added again in the meantime, it stays in the trash. */
export async function restoreCandidate(ctx: Context, id: string): Promise<Candidate> {
  const restored = await records.restore(ctx, id, async (ctx, { domain }) => {
    await domains.lockDomains(ctx)
    const [other] = await domains.findByDomains(ctx, [domain])
    if (other) throw candidateExists(other, 'domain')
    return {}
  })
  return shown(restored)
}

/** Reads the site again because a person wants it. Only the first time it is read costs something. */
export async function crawlCandidate(ctx: Context, id: string, ifMatch?: string): Promise<Candidate> {
  return ctx.transaction(async ctx => {
    const candidate = await records.getForChange(ctx, id, ifMatch)
    if (isUnderWay(candidate))
      throw new Problem('conflict', 'A crawl is already queued.', { code: 'crawl_under_way' })
    refuseTooEarly(ctx, candidate)
    const asked = records.change(ctx, candidate, {
      status: 'QUEUED',
      crawls: candidate.crawls + 1,
      next_crawl_at: null,
    })
    if (asked.crawled_at === null) await useCredits(ctx, costOf(asked))
    queueCrawl(ctx, asked)
    return shown(asked)
  })
}

function isUnderWay({ status }: CandidateRow): boolean {
  return status === 'QUEUED' || status === 'CRAWLING'
}

function refuseTooEarly(ctx: Context, { crawled_at }: CandidateRow): void {
  if (crawled_at === null) return
  const again = new Date(Date.parse(crawled_at) + RECRAWL_PAUSE_HOURS * HOUR_MS).toISOString()
  if (again <= ctx.now()) return
  throw new Problem(
    'conflict',
    `This website was crawled at ${crawled_at}. It can be crawled again from ${again}.`,
    {
      code: 'crawled_recently',
    },
  )
}

/**
 * What the job brings finds its crawl outdated. The first one is as if it had failed; one that was read before is due again
 * as soon as it is back.
 */
async function giveUp(ctx: Context, candidate: CandidateRow): Promise<void> {
  const isFirst = candidate.crawled_at === null
  if (isFirst) await refundCredits(ctx, { reference: creditOf(candidate), note: candidate.domain })
  records.update(ctx, candidate.id, {
    crawls: candidate.crawls + 1,
    updated_at: nextVersion(candidate.updated_at, ctx.now()),
    ...(isFirst
      ? { status: 'FAILED', error: 'It was moved to the trash before its website was crawled.' }
      : { status: 'CRAWLED', next_crawl_at: ctx.now() }),
  })
}
