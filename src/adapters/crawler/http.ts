import type { Crawled, Crawler, ReadPage, Site } from '#platform/ports/crawler.ts'
import type { Settings } from '#platform/settings.ts'
import { TooHard } from '#platform/thread.ts'
import { usualBounds, type Bounds } from './bounds.ts'
import type { Extract } from './extract.ts'
import { choosePages } from './links.ts'
import { openReader, type Reader } from './reader.ts'
import { addressOf, isSameName, isSameSite, twinOf } from './site.ts'
import { ROBOTS_TOKEN, Unread, Visit, type MayLead, type Opened } from './visit.ts'

export type CrawlerSettings = Pick<Settings, 'outboundAllowHosts' | 'baseUrl'> & { version: string }

/** Reads sites over HTTP, by the rules of their owners (decision 0021). */
export function openHttpCrawler(settings: CrawlerSettings, own: Partial<Bounds> = {}): Crawler {
  const bounds = { ...usualBounds, ...own }
  const reader = openReader(bounds)
  const userAgent = `Rapport/${settings.version} (+${settings.baseUrl})`
  return {
    async crawl(site) {
      const visit = new Visit(settings, site, { userAgent, bounds })
      try {
        return await new Crawl(visit, reader, { site, bounds, plainHosts: settings.outboundAllowHosts }).run()
      } catch (error) {
        if (!(error instanceof Unread)) throw error
        const { message: reason, outcome, passing } = error
        return outcome === 'failed' ? { outcome, reason, passing } : { outcome, reason }
      }
    },
  }
}

type Crawling = { site: Site; bounds: Bounds; plainHosts: readonly string[] }

class Crawl {
  readonly #visit: Visit
  readonly #reader: Reader
  readonly #about: Crawling
  readonly #pages = new Map<string, ReadPage>()
  readonly #skipped: { url: string; why: string }[] = []
  #isPrivate = false

  constructor(visit: Visit, reader: Reader, about: Crawling) {
    this.#visit = visit
    this.#reader = reader
    this.#about = about
  }

  /** The first page, then those that it leads to and those that were read before. */
  async run(): Promise<Crawled> {
    const { site, bounds } = this.#about
    const home = await this.#openHome()
    const here = new URL(home.url)
    const { links } = await this.#read(home, true)
    const others = this.#others(here, links).slice(0, bounds.morePages)
    for (const url of others) if (!this.#pages.has(url.href)) await this.#readOther(url, here)
    if (site.signal?.aborted) throw new Unread('The crawl was interrupted.', { passing: true })
    const pages = [...this.#pages.values()]
    if (this.#isPrivate && pages.every(({ unchanged, facts }) => !unchanged && facts.length === 0))
      throw new Unread('The site asks not to be indexed (noindex).', {
        outcome: 'blocked',
      })
    return { outcome: 'read', url: home.url, pages, skipped: this.#skipped }
  }

  /** Many sites have only one of their two names, with www and without. */
  async #openHome(): Promise<Opened> {
    const { site, plainHosts } = this.#about
    const url = URL.canParse(site.url)
      ? addressOf(site.url, { base: new URL(site.url), plainHosts })
      : undefined
    if (!url) throw new Unread('This is not a website URL.')
    const mayLead: MayLead = (_, to) => isSameName(url, to)
    try {
      return await this.#visit.open(url, mayLead)
    } catch (error) {
      const twin = error instanceof Unread && error.isNoHost ? twinOf(url) : undefined
      if (!twin) throw error
      return await this.#visit.open(twin, mayLead)
    }
  }

  #others(here: URL, links: Extract['links']): URL[] {
    const { known } = this.#about.site
    const chosen = choosePages(
      links.map(({ url, text }) => ({ url: new URL(url), text })),
      this.#about.bounds.morePages,
    )
    const before = known.flatMap(({ url }) => URL.parse(url) ?? []).filter(url => isSameSite(url, here))
    return [...new Map([...chosen, ...before].map(url => [url.href, url])).values()].filter(
      ({ href }) => href !== here.href,
    )
  }

  /** A page that cannot be read is reported and does not stop the others. */
  async #readOther(url: URL, here: URL): Promise<void> {
    try {
      const opened = await this.#visit.open(url, (_, to) => isSameSite(here, to))
      if (!this.#pages.has(opened.url)) await this.#read(opened, false)
    } catch (error) {
      if (!(error instanceof Unread)) throw error
      this.#skipped.push({ url: url.href, why: error.message })
      // What it said before holds until it says something else or is no more.
      const known = this.#about.site.known.find(page => page.url === url.href)
      if (known && error.passing) this.#pages.set(known.url, { ...known, unchanged: true, facts: [] })
    }
  }

  async #read({ content, ...page }: Opened, isHome: boolean): Promise<Pick<Extract, 'links'>> {
    if (!content) {
      this.#pages.set(page.url, { ...page, unchanged: true, facts: [] })
      return { links: [] }
    }
    const { headers, bytes } = content
    const source = { url: page.url, isHome, headers, agent: ROBOTS_TOKEN, plainHosts: this.#about.plainHosts }
    const { facts, links, isPrivate } = await this.#reader.ask({ bytes, source }).catch((error: unknown) => {
      throw error instanceof TooHard ? new Unread(`The page ${error.message}.`, { cause: error }) : error
    })
    this.#pages.set(page.url, { ...page, unchanged: false, facts })
    if (isPrivate) {
      this.#isPrivate = true
      this.#skipped.push({ url: page.url, why: 'The page asks not to be indexed (noindex).' })
    }
    return { links }
  }
}
