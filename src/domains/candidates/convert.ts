import type { Context } from '#platform/context.ts'
import { isEmail } from '#platform/contract.ts'
import { record } from '#platform/events.ts'
import { readPhone } from '#platform/phone.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { domainOf, parentsOf } from '#domains/accounts/model.ts'
import { createAccount, matchAccounts } from '#domains/accounts/service.ts'
import { splitName } from '#domains/imports/cells.ts'
import { plain } from '#domains/imports/headings.ts'
import type { Lead, NewLead } from '#domains/leads/contract.ts'
import { findByKey, sameness } from '#domains/leads/intake.ts'
import { createLead, findLead } from '#domains/leads/service.ts'
import { candidateConverted, type Conversion } from './contract.ts'
import * as domains from './domain-store.ts'
import { valuesOf } from './facts.ts'
import { records, type CandidateRow } from './store.ts'

const LEAD_SOURCE = 'Candidate'

/** Makes a lead of what is known. However often it is asked for, there is one. */
export async function convertCandidate(ctx: Context, id: string): Promise<Conversion> {
  return ctx.transaction(async ctx => {
    // Two candidates may have the same mail address, and then one lead: they come one after the other.
    await domains.lockDomains(ctx)
    const candidate = await records.getForChange(ctx, id)
    const before = candidate.lead_id === null ? undefined : await findLead(ctx, candidate.lead_id)
    if (before) return conversionOf(id, { lead: before, made: false, account_made: false })
    if (!isKnown(candidate)) throw nothingKnown(candidate)
    const found = await leadFor(ctx, candidate)
    const { lead, made } = found
    const after = records.write(ctx, candidate, { lead_id: lead.id })
    const { domain, name } = candidate
    record(ctx, candidateConverted, records.about(after), { domain, name, lead_id: lead.id, made })
    return conversionOf(id, found)
  })
}

type Found = { lead: Lead; made: boolean; account_made: boolean }

function conversionOf(id: string, { lead, made, account_made }: Found): Conversion {
  return { id, lead_id: lead.id, account_id: lead.account_id, made, account_made }
}

/** One after the other, each as a whole: what cannot be converted does not hold up the rest. */
export async function convertCandidates(ctx: Context, ids: readonly string[]) {
  const known = new Set((await records.findAll(ctx, ids)).map(({ id }) => id))
  const unknown = ids.flatMap((id, at) => (known.has(id) ? [] : [`ids[${at}]`]))
  if (unknown.length > 0)
    throw invalid(unknown.map(path => ({ path, message: 'is not a candidate in this team' })))
  const data: Conversion[] = []
  const refused: { id: string; why: string }[] = []
  for (const id of ids) {
    const conversion = await ctx
      .transaction(ctx => ctx.attempt(() => convertCandidate(ctx, id)))
      .catch(refusal)
    if (conversion instanceof Problem) refused.push({ id, why: conversion.message })
    else data.push(conversion)
  }
  return { data, refused }
}

function isKnown({ status, name, email, phone }: CandidateRow): boolean {
  return status === 'CRAWLED' || name !== null || email !== null || phone !== null
}

function nothingKnown({ domain }: CandidateRow): Problem {
  return new Problem('conflict', `There is no data on ${domain} yet. Its website must be crawled first.`, {
    code: 'nothing_known',
  })
}

/** The active lead with its email address, unchanged, or a new one. */
async function leadFor(ctx: Context, candidate: CandidateRow): Promise<Found> {
  const email = candidate.email !== null && isEmail(candidate.email) ? candidate.email : undefined
  const key = email === undefined ? [] : [sameness('email', email)]
  const [same] = (await findByKey(ctx, 'email', key, { lock: true })).values()
  if (same) return { lead: same, made: false, account_made: false }
  const account = await accountFor(ctx, candidate)
  const lead = await createLead(ctx, {
    ...(email !== undefined && { email, ...personWith(email, candidate) }),
    ...phoneOf(candidate),
    company: candidate.name ?? candidate.domain,
    website: candidate.url,
    account_id: account.id,
    source: LEAD_SOURCE,
  })
  return { lead, made: true, account_made: account.made }
}

/** The one of its site, else the one that its mail or its name speaks for, else a new one. */
async function accountFor(
  ctx: Context,
  candidate: CandidateRow,
): Promise<{ id: string | null; made: boolean }> {
  const { url, email, name, domain } = candidate
  const matches = await matchAccounts(ctx, { website: url, email, company: name })
  const own = parentsOf(domainOf(url) ?? '')
  const bySite = matches.find(({ account }) => account.domain !== null && own.includes(account.domain))
  const found = bySite ?? matches[0]
  if (found) return { id: found.account.id, made: false }
  // A caller that may write leads but not accounts creates no account this way either.
  if (ctx.principal && !ctx.principal.scopes.has('accounts:write')) return { id: null, made: false }
  const [industry] = valuesOf(candidate.data.facts, 'industry')
  const { id } = await createAccount(ctx, {
    name: name ?? domain,
    website: url,
    ...phoneOf(candidate),
    ...(industry !== undefined && { industry }),
  })
  return { id, made: true }
}

function phoneOf({ phone }: CandidateRow): { phone?: string } {
  const read = phone === null ? undefined : readPhone(phone)
  return read && 'value' in read ? { phone: read.value } : {}
}

/** The person of the site whose mail address this is by its name: jane.doe@ and j.doe@ are Jane Doe's, info@ is nobody's. */
function personWith(
  email: string,
  { data }: CandidateRow,
): Pick<NewLead, 'first_name' | 'last_name' | 'title'> {
  const mailbox = plain(email.split('@')[0]!)
  for (const { kind, label, value } of data.facts) {
    if (kind !== 'person') continue
    const { first_name = '', last_name = '' } = splitName(value)
    const [first, last] = [plain(first_name), plain(last_name)]
    if (first === '' || last === '') continue
    if (![first + last, first[0]! + last, last + first].includes(mailbox)) continue
    return { first_name, last_name, ...(label !== null && { title: label }) }
  }
  return {}
}

/** What is wrong with one is told; what is wrong here is thrown. */
function refusal(error: unknown): Problem {
  if (error instanceof Problem && REFUSALS.includes(error.kind)) return error
  throw error
}
const REFUSALS: Problem['kind'][] = ['not_found', 'conflict', 'invalid']
