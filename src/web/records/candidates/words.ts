import type { Candidate, Fact, ListedCandidate } from '#domains/candidates/contract.ts'
import type { CandidateStatus } from '#domains/candidates/values.ts'

export const statusWords: Record<CandidateStatus, { label: string; tone: string; about: string }> = {
  QUEUED: { label: 'Queued', tone: 'slate', about: 'Its site will be crawled soon.' },
  CRAWLING: { label: 'Crawling', tone: 'blue', about: 'Its site is being crawled.' },
  CRAWLED: { label: 'Crawled', tone: 'green', about: '' },
  BLOCKED: {
    label: 'Blocked',
    tone: 'amber',
    about: 'Its robots.txt disallows crawling.',
  },
  FAILED: { label: 'Failed', tone: 'red', about: 'Its site could not be crawled.' },
  GONE: { label: 'Gone', tone: 'red', about: 'The site no longer exists.' },
}

export const originWords: Record<ListedCandidate['origin'], string> = {
  added: 'by URL',
  list: 'from a list',
  csv: 'from a file',
  lead: 'from a lead',
}

/** Advice for a site without facts. Failed crawls are refunded. */
export const adviceWords: Partial<Record<CandidateStatus, string>> = {
  CRAWLED: 'Its site was crawled, but no facts were found.',
  BLOCKED: 'Its site disallows crawling. The credit was refunded.',
  FAILED: 'The credit was refunded. Try again later, or check whether the site opens for you.',
  GONE: 'The credit was refunded. If the company has a new site, add its domain.',
}

type Kind = Fact['kind']

/** Headings of the fact sheet in order, with the kinds below each. */
export const factGroups: [title: string, kinds: Kind[]][] = [
  ['About', ['name', 'description', 'industry', 'language']],
  ['Contact', ['email', 'phone', 'address']],
  ['People', ['person', 'team_page']],
  ['Profiles and feeds', ['social', 'feed']],
  ['Technologies', ['technology']],
  ['Structured data', ['structured']],
  ['Open Graph', ['open_graph']],
]

export const kindWords: Record<Kind, string> = {
  name: 'Name',
  description: 'Description',
  industry: 'Industry',
  language: 'Language',
  email: 'Email',
  phone: 'Phone',
  address: 'Address',
  person: 'Person',
  team_page: 'Team page',
  social: 'Profile',
  feed: 'Feed',
  technology: 'Technology',
  structured: 'Structured data',
  open_graph: 'Open Graph',
}

export function candidateName({ name, domain }: Pick<Candidate, 'name' | 'domain'>): string {
  return name ?? domain
}

export function isUnderWay({ status }: Pick<Candidate, 'status'>): boolean {
  return status === 'QUEUED' || status === 'CRAWLING'
}

/** A lead needs a name, email or phone. */
export function isKnown({ status, name, email, phone }: ListedCandidate): boolean {
  return status === 'CRAWLED' || Boolean(name ?? email ?? phone)
}

/** Unique within a candidate. */
export function keyOf({ kind, label, value }: Fact): string {
  return `${kind} ${label} ${value}`
}

/** The link of a fact. Sites are written by strangers: only email, phone and web links are allowed. */
export function linkOf({ kind, value }: Pick<Fact, 'kind' | 'value'>): string | undefined {
  if (kind === 'email') return `mailto:${encodeURIComponent(value).replaceAll('%40', '@')}`
  if (kind === 'phone')
    return /^\+?[\d\s()./-]+$/.test(value) ? `tel:${value.replaceAll(/[^\d+]/g, '')}` : undefined
  return webAddress(value)
}

/** The text if it is an http(s) URL. */
export function webAddress(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return undefined
  return URL.canParse(text) ? text : undefined
}

/** `https://www.linkedin.com/company/acme/` → "linkedin.com/company/acme". */
export function shortAddress(text: string): string {
  return webAddress(text) ? text.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '') : text
}

/** `https://www.acme.test/about/` → "/about"; the home page by its host. */
export function pageName(address: string): string {
  if (!URL.canParse(address)) return address
  const { host, pathname, search } = new URL(address)
  const path = decoded(pathname.replace(/\/+$/, '') + search)
  return path === '' ? host.replace(/^www\./, '') : path
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
