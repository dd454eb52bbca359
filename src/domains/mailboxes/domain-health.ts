import type { Context } from '#platform/context.ts'
import { passingMemory } from '#platform/passing-memory.ts'
import { DnsUnavailable } from '#platform/ports/dns.ts'
import { sharedDomains } from '#domains/accounts/values.ts'
import type { MailboxDomain } from './contract.ts'
import {
  dkimHost,
  dmarcHost,
  dmarcRecords,
  domainOf,
  judgeDomain,
  parentsOf,
  publicDomain,
  RECORD_LENGTH_MAX,
  RECORDS_MAX,
  SELECTORS,
  type DomainTexts,
  type Texts,
} from './domain-records.ts'
import { isPublicDomain } from './known-servers.ts'
import { getMailbox } from './service.ts'

const REMEMBERED_MS = 2 * 60_000
const DOMAINS_MAX = 1_000

type Looked = DomainTexts & { checked_at: string }

const remembered = passingMemory<Looked>(REMEMBERED_MS, DOMAINS_MAX)

/** What the domain of a mailbox publishes for those who receive its email. */
export async function readDomain(ctx: Context, id: string): Promise<MailboxDomain> {
  const { address, kind, smtp } = await getMailbox(ctx, id)
  const domain = domainOf(address)
  if (sharedDomains.has(domain) || isPublicDomain(domain))
    return { domain, checked_at: ctx.now(), records: publicDomain(domain) }
  const { checked_at, ...texts } = await remembered.get(ctx, domain, () => lookUp(ctx, domain))
  return { domain, checked_at, records: judgeDomain({ address, kind, smtpHost: smtp.host }, texts) }
}

async function lookUp(ctx: Context, domain: string): Promise<Looked> {
  const [spf, dkim, dmarc] = await Promise.all([
    textsOf(ctx, domain),
    Promise.all(
      SELECTORS.map(async selector => [selector, await textsOf(ctx, dkimHost(selector, domain))] as const),
    ),
    lookUpDmarc(ctx, domain),
  ])
  return { checked_at: ctx.now(), spf, dkim: new Map(dkim), dmarc }
}

/** A parent is asked only if those below it have none. */
async function lookUpDmarc(ctx: Context, domain: string): Promise<DomainTexts['dmarc']> {
  const looked = []
  for (const each of [domain, ...parentsOf(domain)]) {
    const texts = await textsOf(ctx, dmarcHost(each))
    looked.push({ domain: each, texts })
    if (!texts || dmarcRecords(texts).length > 0) break
  }
  return looked
}

async function textsOf(ctx: Context, name: string): Promise<Texts> {
  try {
    const texts = await ctx.runtime.ports.dns.texts(name)
    return texts.slice(0, RECORDS_MAX).map(text => text.slice(0, RECORD_LENGTH_MAX).replace(/\p{Cc}/gu, ' '))
  } catch (error) {
    if (error instanceof DnsUnavailable) return undefined
    throw error
  }
}
