import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { filledFields } from '#platform/records.ts'
import { useCredits, useCreditsForMany } from '#domains/credits/service.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { findLead } from '#domains/leads/service.ts'
import { readAddress, type Site } from './address.ts'
import { candidateEvents, type Added, type Candidate, type NewCandidate } from './contract.ts'
import { creditOf, queueCrawls } from './crawling.ts'
import * as domains from './domain-store.ts'
import { records, shown, type CandidateRow } from './store.ts'
import { ADDRESS_LENGTH_MAX, ADDRESSES_MAX, CRAWL_CREDITS } from './values.ts'

export const REFUSED_SHOWN_MAX = 100

type Wanted = Site & Pick<CandidateRow, 'origin' | 'lead_id'>

/** Adds one site and pays for reading it. */
export async function createCandidate(ctx: Context, input: NewCandidate): Promise<Candidate> {
  return ctx.transaction(async ctx => {
    const wanted = await wantedBy(ctx, input)
    await domains.lockDomains(ctx)
    const [known] = await domains.findByDomains(ctx, [wanted.domain])
    if (known) return linked(ctx, known, wanted)
    const candidate = newCandidate(ctx, wanted)
    await useCredits(ctx, costOf(candidate))
    begin(ctx, [candidate])
    return shown(candidate)
  })
}

/** Adds as many as there are credits for. Each site counts once, however it is written. */
export async function addCandidates(
  ctx: Context,
  addresses: Iterable<string>,
  origin: 'list' | 'csv',
): Promise<Added> {
  const { sites, refused, refused_count } = sorted(ctx, new Set(addresses))
  const sum = { added: 0, known: 0, without_credit: 0 }
  for (let at = 0; at < sites.length; at += ADDRESSES_MAX) {
    const block = await addBlock(ctx, sites.slice(at, at + ADDRESSES_MAX), origin)
    sum.added += block.added
    sum.known += block.known
    sum.without_credit += block.without_credit
  }
  return { ...sum, refused, refused_count }
}

/** Somebody else has this domain. */
export function candidateExists({ id, name, domain }: CandidateRow, path: string): Problem {
  const called = name && name !== domain ? `${name} (${domain})` : domain
  return new Problem('conflict', `${called} is already a candidate.`, {
    code: 'candidate_exists',
    errors: [{ path, message: `belongs to candidate ${id}` }],
  })
}

/** What the crawl that the candidate waits for costs. */
export function costOf(candidate: Pick<CandidateRow, 'id' | 'crawls' | 'domain'>) {
  return { amount: CRAWL_CREDITS, reference: creditOf(candidate), note: candidate.domain }
}

async function wantedBy(ctx: Context, { address, lead_id }: NewCandidate): Promise<Wanted> {
  const lead = lead_id === undefined ? undefined : await findLead(ctx, lead_id)
  if (lead_id !== undefined && !lead)
    throw invalid([{ path: 'lead_id', message: 'is not a lead in this team' }])
  if ((address === undefined) === (lead === undefined))
    throw invalid([{ path: address === undefined ? 'address' : 'lead_id', message: ONE_OF_TWO }])
  if (lead) return { ...siteOfLead(ctx, lead), origin: 'lead', lead_id: lead.id }
  const site = readAddress(address!, ctx.runtime.settings.outboundAllowHosts)
  if ('wrong' in site) throw invalid([{ path: 'address', message: site.wrong }])
  return { ...site, origin: 'added', lead_id: null }
}

const ONE_OF_TWO = 'Send either address or lead_id, but not both'

/** Its mail says most; where that is a mailbox anybody may have, its website does. */
function siteOfLead(ctx: Context, { email, website }: Lead): Site {
  for (const address of [email, website]) {
    const site = readAddress(address ?? '', ctx.runtime.settings.outboundAllowHosts)
    if (!('wrong' in site)) return site
  }
  throw invalid([{ path: 'lead_id', message: 'has no company email address and no website' }])
}

/** Existing candidates are reported; a lead is linked to one unless another lead already is. */
async function linked(ctx: Context, known: CandidateRow, { lead_id }: Wanted): Promise<Candidate> {
  const isFree = known.lead_id === null || !(await findLead(ctx, known.lead_id))
  if (lead_id === null || !isFree) throw candidateExists(known, lead_id === null ? 'address' : 'lead_id')
  return shown(records.change(ctx, await records.getForChange(ctx, known.id), { lead_id }))
}

function sorted(ctx: Context, addresses: ReadonlySet<string>) {
  const sites = new Map<string, Site>()
  const refused: Added['refused'] = []
  let refused_count = 0
  for (const address of addresses) {
    const site = readAddress(address, ctx.runtime.settings.outboundAllowHosts)
    if (!('wrong' in site)) {
      if (!sites.has(site.domain)) sites.set(site.domain, site)
    } else if (++refused_count <= REFUSED_SHOWN_MAX) {
      refused.push({ address: address.slice(0, ADDRESS_LENGTH_MAX).toWellFormed(), why: site.wrong })
    }
  }
  return { sites: [...sites.values()], refused, refused_count }
}

async function addBlock(ctx: Context, sites: readonly Site[], origin: 'list' | 'csv') {
  return ctx.transaction(async ctx => {
    await domains.lockDomains(ctx)
    const known = await domains.knownDomains(
      ctx,
      sites.map(({ domain }) => domain),
    )
    const fresh = sites
      .filter(({ domain }) => !known.has(domain))
      .map(site => newCandidate(ctx, { ...site, origin, lead_id: null }))
    const added = fresh.length > 0 ? await useCreditsForMany(ctx, fresh.map(costOf)) : 0
    begin(ctx, fresh.slice(0, added))
    return { added, known: known.size, without_credit: fresh.length - added }
  })
}

export function newCandidate(ctx: Context, { url, domain, origin, lead_id }: Wanted): CandidateRow {
  return {
    id: ctx.newId(),
    url,
    domain,
    status: 'QUEUED',
    name: null,
    email: null,
    phone: null,
    description: null,
    data: { facts: [], score: [] },
    facts_count: 0,
    score: 0,
    crawled_at: null,
    changed_at: null,
    next_crawl_at: null,
    crawls: 1,
    failures: 0,
    error: null,
    origin,
    lead_id,
    created_at: ctx.now(),
    updated_at: ctx.now(),
    deleted_at: null,
  }
}

/** One live message is enough for many changes: viewers reload the list. */
function begin(ctx: Context, candidates: readonly CandidateRow[]): void {
  records.insertAll(ctx, candidates)
  for (const [at, candidate] of candidates.entries()) {
    const { data: _data, ...fields } = shown(candidate)
    const telling = { silent: at < candidates.length - 1 }
    record(
      ctx,
      candidateEvents.created,
      records.about(candidate),
      { candidate: filledFields(fields) },
      telling,
    )
  }
  queueCrawls(ctx, candidates)
}
