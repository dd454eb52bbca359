/** What a site can tell. */
export const factKinds = [
  'name',
  'description',
  'industry',
  'email',
  'phone',
  'address',
  'social',
  'technology',
  'person',
  'team_page',
  'feed',
  'structured',
  'open_graph',
  'language',
] as const
export type FactKind = (typeof factKinds)[number]

/** `label` tells facts of one kind apart: the network of a social link, the property of Open Graph, the role of a person. */
export type FoundFact = { kind: FactKind; label: string | null; value: string }

/** By what a server knows whether a page has changed since. */
export type KnownPage = { url: string; etag: string | null; last_modified: string | null }

/** One that has not changed brings no facts: those that were found before still hold. */
export type ReadPage = KnownPage & { unchanged: boolean; facts: FoundFact[] }

/** What is shared by all who crawl: a host is asked by one at a time, and its rules are read once. */
export type Manners = {
  /** The robots.txt of a host as it was last read, while it is fresh. */
  findRobots(host: string): Promise<string | undefined>
  keepRobots(host: string, text: string, freshForMs: number): Promise<void>
  /** Takes the next turn at the host; answers in how many milliseconds that is. */
  takeTurn(host: string, pauseMs: number): Promise<number>
}

export type Site = { url: string; known: readonly KnownPage[]; manners: Manners; signal?: AbortSignal }

export type Crawled =
  /** `url`: where the site really begins, after redirects. */
  | { outcome: 'read'; url: string; pages: ReadPage[]; skipped: { url: string; why: string }[] }
  /** Its robots.txt asks us to stay away. */
  | { outcome: 'blocked'; reason: string }
  /** There is no such host any more, or no page at its address. */
  | { outcome: 'gone'; reason: string }
  /** `passing`: it may go better in a while. */
  | { outcome: 'failed'; reason: string; passing: boolean }

/** Reads what a site says about its owner. It never throws because of what a site does. */
export type Crawler = { crawl(site: Site): Promise<Crawled> }
