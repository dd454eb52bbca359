import type { DomainRecord } from './contract.ts'
import type { DomainRecordKind, MailboxKind } from './values.ts'

/** The selectors that providers use, in the order they are shown in: DNS has no list of those of a domain. */
export const SELECTORS = ['google', 'selector1', 'selector2', 'default', 'dkim', 'mail', 'k1', 's1', 's2']
export const RECORDS_MAX = 100
export const RECORD_LENGTH_MAX = 4_000
const FOUND_LENGTH_MAX = 1_000
const PARENTS_MAX = 5

/** The TXT records of a name; undefined if they cannot be looked up. */
export type Texts = readonly string[] | undefined

/** What was looked up for a domain. */
export type DomainTexts = {
  spf: Texts
  /** By selector. */
  dkim: ReadonlyMap<string, Texts>
  /** Of the domain and of its parents, as far as they were needed. */
  dmarc: readonly { domain: string; texts: Texts }[]
}

/** The mailbox that a domain is judged for. */
export type Sender = { address: string; kind: MailboxKind; smtpHost: string }

export function judgeDomain(sender: Sender, { spf, dkim, dmarc }: DomainTexts): DomainRecord[] {
  return [judgeSpf(sender, spf), judgeDkim(sender, dkim), judgeDmarc(sender, dmarc)]
}

/** Of gmail.com and the like, where only the provider can publish anything. */
export function publicDomain(domain: string): DomainRecord[] {
  const managed = (kind: DomainRecordKind, host: string): DomainRecord => ({
    ...judged(kind, host),
    state: 'good',
    text: 'Managed by the provider',
  })
  return [
    managed('spf', domain),
    managed('dkim', `_domainkey.${domain}`),
    managed('dmarc', dmarcHost(domain)),
  ]
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

export function dkimHost(selector: string, domain: string): string {
  return `${selector}._domainkey.${domain}`
}

export function dmarcHost(domain: string): string {
  return `_dmarc.${domain}`
}

/** Those that a policy can come from, nearest first: a top-level domain is nobody's. */
export function parentsOf(domain: string): string[] {
  const labels = domain.split('.')
  return labels
    .slice(1, -1)
    .map((_, at) => labels.slice(at + 1).join('.'))
    .slice(0, PARENTS_MAX)
}

export function dmarcRecords(texts: readonly string[]): string[] {
  return texts.filter(text => /^v\s*=\s*DMARC1\s*(?:;|$)/i.test(text))
}

type Provider = { name: string; include: string; smtpHost: string; selector: string; console: string }

const providers: Record<Exclude<MailboxKind, 'imap'>, Provider> = {
  google: {
    name: 'Google',
    include: '_spf.google.com',
    smtpHost: 'smtp.gmail.com',
    selector: 'google',
    console: 'the Google Admin console',
  },
  microsoft: {
    name: 'Microsoft',
    include: 'spf.protection.outlook.com',
    smtpHost: 'smtp.office365.com',
    selector: 'selector1',
    console: 'Microsoft Defender',
  },
}

/** An app password sends through the same servers as a sign-in does. */
function providerOf({ kind, smtpHost }: Sender): Provider | undefined {
  if (kind !== 'imap') return providers[kind]
  return Object.values(providers).find(provider => provider.smtpHost === smtpHost.toLowerCase())
}

function judgeSpf(sender: Sender, texts: Texts): DomainRecord {
  const domain = domainOf(sender.address)
  const record = judged('spf', domain)
  if (!texts) return record
  const provider = providerOf(sender)
  const [found, ...others] = texts.filter(text => /^v=spf1(?:\s|$)/i.test(text))
  if (found === undefined)
    return {
      ...record,
      state: 'missing',
      text: provider
        ? 'Some providers reject your email or send it to spam without it.'
        : 'Some providers reject your email or send it to spam without it. Your email provider tells you the record.',
      wanted: provider ? `v=spf1 include:${provider.include} ~all` : null,
    }
  const shown = { ...record, found: shortened(found) }
  if (others.length > 0)
    return {
      ...shown,
      state: 'wrong',
      text: `${domain} has ${others.length + 1} SPF records, so none of them counts. Merge them into one.`,
    }
  const spf = readSpf(found)
  if (allowsAll(spf))
    return {
      ...shown,
      state: 'wrong',
      text: `It allows every server to send email as ${domain}.`,
      wanted: repaired(spf, provider),
    }
  if (spf.redirect !== undefined && spf.redirect !== provider?.include)
    return { ...shown, text: `It refers to ${shortened(spf.redirect)}, which is not checked.` }
  if (provider && !includes(spf, provider))
    return {
      ...shown,
      state: 'wrong',
      text: `It does not include ${provider.name}, which sends the email of this mailbox.`,
      wanted: repaired(spf, provider),
    }
  if (spf.senders.length === 0 && spf.all === '-all')
    return { ...shown, state: 'wrong', text: `It says that ${domain} sends no email.` }
  return { ...shown, state: 'good', text: provider ? `Verified for ${domain}` : `Published for ${domain}` }
}

/** `redirect`: only if there is no `all`, which would come first. What is after `all` has no effect. */
type Spf = { senders: string[]; all: string | undefined; redirect: string | undefined }

function readSpf(text: string): Spf {
  const terms = text.split(/\s+/).slice(1).filter(Boolean)
  const at = terms.findIndex(term => /^[+?~-]?all$/i.test(term))
  const redirect = terms.find(term => /^redirect=/i.test(term))
  const senders = (at === -1 ? terms : terms.slice(0, at)).filter(term => term !== redirect)
  if (at !== -1) return { senders, all: terms[at]!.toLowerCase(), redirect: undefined }
  return { senders, all: undefined, redirect: redirect?.slice('redirect='.length).toLowerCase() }
}

function allowsAll({ all }: Spf): boolean {
  return all === 'all' || all === '+all'
}

function includes({ senders, redirect }: Spf, { include }: Provider): boolean {
  return (
    redirect === include ||
    senders.some(term => term.toLowerCase().replace(/^\+/, '') === `include:${include}`)
  )
}

function repaired(spf: Spf, provider: Provider | undefined): string {
  const added = provider && !includes(spf, provider) ? [`include:${provider.include}`] : []
  return ['v=spf1', ...spf.senders, ...added, allowsAll(spf) ? '~all' : (spf.all ?? '')].join(' ').trim()
}

function judgeDkim(sender: Sender, bySelector: ReadonlyMap<string, Texts>): DomainRecord {
  const domain = domainOf(sender.address)
  const provider = providerOf(sender)
  for (const [selector, texts] of bySelector) {
    const key = texts?.find(isDkimKey)
    if (key !== undefined)
      return {
        ...judged('dkim', dkimHost(selector, domain)),
        state: 'good',
        text: `Key found for the selector ${selector}`,
        found: shortened(key),
      }
  }
  const record = judged('dkim', provider ? dkimHost(provider.selector, domain) : `_domainkey.${domain}`)
  if ([...bySelector.values()].some(texts => !texts)) return record
  return {
    ...record,
    state: 'missing',
    text: provider
      ? `Not found under the usual names. Turn it on in ${provider.console}.`
      : 'Not found under the usual names. Your email provider may use another one.',
  }
}

function isDkimKey(text: string): boolean {
  const tags = tagsOf(text)
  const version = tags.get('v')
  return (version === undefined || version.toUpperCase() === 'DKIM1') && Boolean(tags.get('p'))
}

function judgeDmarc({ address }: Sender, looked: DomainTexts['dmarc']): DomainRecord {
  const own = domainOf(address)
  const record = judged('dmarc', dmarcHost(own))
  for (const { domain, texts } of looked) {
    if (!texts) return record
    // That of a registry is not the domain's.
    const records = dmarcRecords(texts).filter(text => domain === own || tagsOf(text).get('psd') !== 'y')
    if (records.length > 0) return judgePolicy(domain, records as [string, ...string[]])
  }
  return {
    ...record,
    state: 'missing',
    text: 'Some providers send your email to spam without it.',
    wanted: `v=DMARC1; p=none; rua=mailto:${address}`,
  }
}

function judgePolicy(domain: string, [found, ...others]: readonly [string, ...string[]]): DomainRecord {
  const record = { ...judged('dmarc', dmarcHost(domain)), found: shortened(found) }
  if (others.length > 0)
    return {
      ...record,
      state: 'wrong',
      text: `${domain} has ${others.length + 1} DMARC records, so none of them counts. Keep one.`,
    }
  const { v: _, p = '', ...rest } = Object.fromEntries(tagsOf(found))
  if (POLICIES.includes(p.toLowerCase()))
    return { ...record, state: 'good', text: `Published for ${domain}, policy ${p.toLowerCase()}` }
  const kept = Object.entries(rest).map(([name, value]) => `${name}=${value}`)
  return {
    ...record,
    state: 'wrong',
    text: 'It has no valid policy: none, quarantine or reject.',
    wanted: ['v=DMARC1', 'p=none', ...kept].join('; '),
  }
}

const POLICIES = ['none', 'quarantine', 'reject']

/** `v=DKIM1; p=abc`: of a tag that is there twice, the first counts. */
function tagsOf(text: string): Map<string, string> {
  const tags = new Map<string, string>()
  for (const part of text.split(';')) {
    const [name = '', ...value] = part.split('=')
    const tag = name.trim().toLowerCase()
    if (tag !== '' && !tags.has(tag)) tags.set(tag, value.join('=').trim())
  }
  return tags
}

/** Unless something is known of it. */
function judged(kind: DomainRecordKind, host: string): DomainRecord {
  return {
    kind,
    state: 'unknown',
    text: 'Could not be looked up. Try again in a few minutes.',
    host,
    found: null,
    wanted: null,
  }
}

function shortened(text: string): string {
  return text.length > FOUND_LENGTH_MAX ? `${text.slice(0, FOUND_LENGTH_MAX)}…` : text
}
