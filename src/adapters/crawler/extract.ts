import type { FoundFact } from '#platform/ports/crawler.ts'
import { findAddresses, findMails, findPhones } from './contacts.ts'
import { FactSheet, lineOf } from './fact.ts'
import { industriesOf } from './industries.ts'
import { linksOf, topicOf } from './links.ts'
import { readPage, type Page } from './page.ts'
import { findPeople } from './people.ts'
import { addressOf, isSameSite } from './site.ts'
import { addSocial } from './social.ts'
import { findStructured, industriesIn, organizationIn, thingsIn, type Thing } from './structured.ts'
import { findTechnologies } from './technologies.ts'

const KEYWORDS_MAX = 10
const LINKS_MAX = 500
const NAME_LENGTH_MAX = 80

export type Source = {
  /** Where the page was found. */
  url: string
  isHome: boolean
  headers: Record<string, string | undefined>
  /** Our name among robots, for pages that speak to one of them. */
  agent: string
  plainHosts: readonly string[]
}

export type Extract = {
  facts: FoundFact[]
  /** Pages of the same site that this one leads to, and what is written on the links. */
  links: { url: string; text: string }[]
  /** The page asks that what it says be kept nowhere. */
  isPrivate: boolean
}

/** What a page says about its owner. */
export function extract(html: string, { url, isHome, headers, agent, plainHosts }: Source): Extract {
  const page = readPage(html)
  const here = new URL(url)
  const base = (page.base !== undefined && addressOf(page.base, { base: here, plainHosts })) || here
  const asked = asksIn(page, headers, agent)
  const read = (href: string) => addressOf(href, { base, plainHosts })
  const links = asked.includes('nofollow') ? [] : linksWithin(page, here, read)
  if (asked.includes('noindex')) return { facts: [], links, isPrivate: true }

  const sheet = new FactSheet()
  const things = [...thingsIn(page.jsonLd), ...page.items]
  const metas = new Map(page.metas.toReversed())
  findNames(page, things, metas, { host: here.hostname, isHome }, sheet)
  const description =
    metas.get('description') ?? metas.get('og:description') ?? lineOf(organizationIn(things)?.['description'])
  sheet.add('description', description)
  findStructured(things, sheet)
  findMails(page, here.hostname, sheet)
  findPhones(page, sheet)
  findAddresses(page, sheet)
  for (const { href } of page.anchors) addSocial(sheet, href)
  const handle = /^@(\w{2,15})$/.exec(metas.get('twitter:site')?.trim() ?? '')
  if (handle) addSocial(sheet, `https://x.com/${handle[1]}`)
  findPeople(page, topicOf(here) === 'team', sheet)
  for (const { url, text } of links) if (topicOf(new URL(url), text) === 'team') sheet.add('team_page', url)
  findIndustries(things, metas, isHome ? `${page.title} ${description}` : '', sheet)
  findTechnologies(page, headers, sheet)
  findFeeds(page, read, sheet)
  for (const name of OPEN_GRAPH) sheet.add('open_graph', metas.get(name), name.slice('og:'.length))
  sheet.add('language', languageOf(page.language ?? metas.get('content-language') ?? metas.get('og:locale')))
  return { facts: sheet.facts, links, isPrivate: false }
}

const OPEN_GRAPH = [
  'og:title',
  'og:type',
  'og:image',
  'og:url',
  'og:locale',
  'og:site_name',
  'og:description',
]
const FEEDS: Record<string, string> = {
  'application/rss+xml': 'RSS',
  'application/atom+xml': 'Atom',
  'application/feed+json': 'JSON',
}
const TITLE_PARTS = /\s+[|–—·•»:-]\s+|\s*[|–—·•»]\s*|:\s+/

/** By meta elements and by headers, for all robots or for ours: `none` is both. */
function asksIn(page: Page, headers: Source['headers'], agent: string): string[] {
  const told = page.metas
    .filter(([name]) => name === 'robots' || name === agent)
    .map(([, content]) => content)
  // `otherbot: noindex, nofollow` speaks to another until the next name.
  let isForUs = true
  for (const part of (headers['x-robots-tag'] ?? '').split(',')) {
    const [, name, rest] = /^\s*([\w-]+)\s*:\s*(.*)$/.exec(part) ?? []
    if (name !== undefined && !/^unavailable_after|^max-/i.test(name)) isForUs = name.toLowerCase() === agent
    if (isForUs) told.push(rest ?? part)
  }
  const words = told
    .join(',')
    .toLowerCase()
    .split(/[\s,]+/)
  return words.includes('none') ? ['noindex', 'nofollow'] : words
}

function linksWithin(page: Page, here: URL, read: (href: string) => URL | undefined): Extract['links'] {
  const refresh = page.metas.find(([name]) => name === 'refresh')?.[1]
  const target = /url\s*=\s*["']?([^"']+)/i.exec(refresh ?? '')?.[1]
  const links = linksOf(page.anchors, read)
  const onward = target === undefined ? undefined : read(target)
  if (onward) links.unshift({ url: onward, text: 'about' })
  return links
    .filter(({ url }) => isSameSite(url, here))
    .slice(0, LINKS_MAX)
    .map(({ url, text }) => ({ url: url.href, text: lineOf(text, NAME_LENGTH_MAX) }))
}

/** By its own word where it has one; by its title only where that says more than what the page is about. */
function findNames(
  page: Page,
  things: readonly Thing[],
  metas: ReadonlyMap<string, string>,
  { host, isHome }: { host: string; isHome: boolean },
  sheet: FactSheet,
): void {
  const organization = organizationIn(things)
  const site = things.find(thing => thing['@type'] === 'WebSite')
  const told = [
    organization?.['name'],
    metas.get('og:site_name'),
    metas.get('application-name'),
    site?.['name'],
  ].map(name => lineOf(name))
  const own = told.find(name => name !== '' && name.length <= NAME_LENGTH_MAX)
  sheet.add('name', own ?? nameInTitle(page.title, host, isHome))
  sheet.add('name', organization?.['legalName'], 'legal')
}

function nameInTitle(title: string, host: string, isHome: boolean): string {
  const parts = lineOf(title)
    .split(TITLE_PARTS)
    .filter(part => part && part.length <= NAME_LENGTH_MAX)
  const letters = (text: string) =>
    text
      .normalize('NFD')
      .toLowerCase()
      .replace(/[^\p{L}\d]/gu, '')
  const label = letters(host.replace(/^www\./, '').split('.')[0]!)
  const alike = parts.find(part => {
    const own = letters(part)
    return own.length > 2 && label.length > 2 && (own.startsWith(label) || label.startsWith(own))
  })
  return (
    alike ??
    (isHome
      ? (parts.find(part => !/^(?:home|start|startseite|willkommen|welcome|accueil|inicio)$/i.test(part)) ??
        '')
      : '')
  )
}

function findIndustries(
  things: readonly Thing[],
  metas: ReadonlyMap<string, string>,
  presented: string,
  sheet: FactSheet,
): void {
  for (const industry of industriesIn(things)) sheet.add('industry', industry)
  for (const industry of industriesOf(presented)) sheet.add('industry', industry)
  const keywords = (metas.get('keywords') ?? '').split(/[,;]/).map(word => lineOf(word))
  for (const word of keywords.filter(word => word && word.length <= NAME_LENGTH_MAX).slice(0, KEYWORDS_MAX))
    sheet.add('industry', word, 'keyword')
}

function findFeeds(page: Page, read: (href: string) => URL | undefined, sheet: FactSheet): void {
  for (const { rel, href, type } of page.relations) {
    const label = FEEDS[type.split(';')[0]!.trim()]
    if (label && /\balternate\b/.test(rel)) sheet.add('feed', read(href)?.href, label)
  }
}

/** `de_DE` and `de-de` are one language; what is none is not told. */
function languageOf(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : Intl.getCanonicalLocales(text.trim().replace('_', '-'))[0]
  } catch {
    return undefined
  }
}
