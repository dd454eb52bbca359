import { factKinds, type FactKind, type FoundFact, type ReadPage } from '#platform/ports/crawler.ts'
import type { Fact } from './contract.ts'
import { FACT_LENGTH_MAX, FACTS_MAX } from './values.ts'

/** What a page says, and since when it is known to say so. */
export type PageFact = FoundFact & { at: string }
export type SitePage = {
  url: string
  etag: string | null
  last_modified: string | null
  facts: PageFact[]
  read_at: string
}

/** A change is told with so many of either side at most: a new site is no novel. */
export const CHANGES_TOLD_MAX = 20

/** The pages as they are known after a crawl: what has not changed says what it said, and is as old. */
export function pagesAfter(known: readonly SitePage[], read: readonly ReadPage[], now: string): SitePage[] {
  const before = new Map(known.map(page => [page.url, page]))
  return read.map(({ url, etag, last_modified, unchanged, facts }) => {
    const old = before.get(url)
    if (!unchanged)
      return { url, etag, last_modified, facts: dated(facts, old?.facts ?? [], now), read_at: now }
    return {
      url,
      etag: etag ?? old?.etag ?? null,
      last_modified: last_modified ?? old?.last_modified ?? null,
      facts: old?.facts ?? [],
      read_at: now,
    }
  })
}

/**
 * What the pages say together. The same thing said twice is one fact, of the page that comes first; one that was known
 * before is as old as it was. Where there are more than are kept, the kinds that matter most are.
 */
export function factsOf(pages: readonly SitePage[], before: readonly Fact[]): Fact[] {
  const since = new Map(before.map(fact => [keyOf(fact), fact.at]))
  const facts = new Map<string, Fact>()
  for (const { url, facts: said } of pages) {
    for (const { kind, label, value, at } of said) {
      const key = keyOf({ kind, label, value })
      if (!facts.has(key)) facts.set(key, { kind, label, value, url, at: since.get(key) ?? at })
    }
  }
  return [...facts.values()].toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, FACTS_MAX)
}

export type Changes = { added: Fact[]; gone: Fact[] }

/** What is said now and was not before, and the other way round; undefined where that is nothing. */
export function changesOf(before: readonly Fact[], after: readonly Fact[]): Changes | undefined {
  const [old, fresh] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))]
  const added = after.filter(fact => !old.has(keyOf(fact)))
  const gone = before.filter(fact => !fresh.has(keyOf(fact)))
  return added.length + gone.length > 0 ? { added, gone } : undefined
}

/** Its facts in a line of the table: by what it is called, reached and described. */
export function summaryOf(facts: readonly Fact[], domain: string) {
  return {
    email: bestEmail(facts, domain),
    phone: bestPhone(facts),
    description: siteWord(facts, 'description'),
  }
}

/** What its site calls the company. A candidate that is called otherwise was named by a person. */
export function siteNameOf(facts: readonly Fact[]): string | null {
  return siteWord(facts, 'name')
}

/** Whether somebody may be written to there under the company's own name. */
export function isOwnAddress(email: string, domain: string): boolean {
  const [host, own] = [email.slice(email.lastIndexOf('@') + 1).toLowerCase(), domain.replace(/:\d+$/, '')]
  return host === own || host.endsWith(`.${own}`) || own.endsWith(`.${host}`)
}

export function valuesOf(facts: readonly Fact[], kind: FactKind): string[] {
  return facts.filter(fact => fact.kind === kind).map(({ value }) => value)
}

function dated(facts: readonly FoundFact[], old: readonly PageFact[], now: string): PageFact[] {
  const since = new Map(old.map(fact => [keyOf(fact), fact.at]))
  const tidied = facts.map(tidy).filter(({ value }) => value !== '')
  return tidied.slice(0, FACTS_MAX).map(fact => ({ ...fact, at: since.get(keyOf(fact)) ?? now }))
}

/** Whatever a site says is one line of text that a database can keep. */
function tidy({ kind, label, value }: FoundFact): FoundFact {
  return { kind, label: label === null ? null : oneLine(label) || null, value: oneLine(value) }
}

function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return line.slice(0, FACT_LENGTH_MAX).toWellFormed().trim()
}

/** The same words in another case are the same fact. */
function keyOf({ kind, label, value }: FoundFact): string {
  return JSON.stringify([kind, label?.toLowerCase() ?? null, value.toLowerCase()])
}

function rankOf({ kind }: Fact): number {
  return factKinds.indexOf(kind)
}

function siteWord(facts: readonly Fact[], kind: FactKind): string | null {
  return facts.find(fact => fact.kind === kind)?.value ?? null
}

function bestEmail(facts: readonly Fact[], domain: string): string | null {
  const emails = valuesOf(facts, 'email').map(email => email.toLowerCase())
  return emails.find(email => isOwnAddress(email, domain)) ?? emails[0] ?? null
}

/** One that can be dialled from anywhere, before one that cannot. */
function bestPhone(facts: readonly Fact[]): string | null {
  const phones = valuesOf(facts, 'phone')
  return phones.find(phone => phone.startsWith('+')) ?? phones[0] ?? null
}
