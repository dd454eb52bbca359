import { setTimeout as sleep } from 'node:timers/promises'
import type { KnownPage, Site } from '#platform/ports/crawler.ts'
import {
  OutboundError,
  safeFetchBytes,
  type OutboundBytes,
  type OutboundRequest,
} from '#platform/safe-fetch.ts'
import type { Settings } from '#platform/settings.ts'
import type { Bounds } from './bounds.ts'
import { readRobots, ROBOTS_BYTES_MAX, type Robots } from './robots.ts'
import { addressOf } from './site.ts'
import { ACCEPTED_ENCODINGS, PackedWrong, unpack } from './unpacking.ts'

/** Our name in a robots.txt. */
export const ROBOTS_TOKEN = 'rapport'
export const ROBOTS_FRESH_MS = 24 * 3_600_000
const VALIDATOR_LENGTH_MAX = 300
/** A server that cannot prove who it is will not be able to in a minute. */
const CERTIFICATE_CODES = /CERT|TLS|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/

/** Why an address could not be read, as the whole site's outcome where it is the first. */
export class Unread extends Error {
  readonly outcome: 'blocked' | 'gone' | 'failed'
  readonly passing: boolean
  readonly isNoHost: boolean

  constructor(
    reason: string,
    { outcome = 'failed', passing = false, isNoHost = false, cause }: Partial<Unread> = {},
  ) {
    super(reason, { cause })
    this.outcome = outcome
    this.passing = passing
    this.isNoHost = isNoHost
  }
}

export type Opened = KnownPage & {
  /** What a page has that is not as it was when it was read last. */
  content: { bytes: Buffer; headers: OutboundBytes['headers'] } | undefined
}

/** Whether a redirect may be followed. */
export type MayLead = (from: URL, to: URL) => boolean

/** One visit to a site: with its manners, within its time. */
export class Visit {
  readonly #outside: Pick<Settings, 'outboundAllowHosts'>
  readonly #userAgent: string
  readonly #bounds: Bounds
  readonly #site: Site
  readonly #known: Map<string, KnownPage>
  readonly #robots = new Map<string, Robots>()
  readonly #endsAt: number

  constructor(
    outside: Pick<Settings, 'outboundAllowHosts'>,
    site: Site,
    { userAgent, bounds }: { userAgent: string; bounds: Bounds },
  ) {
    this.#outside = outside
    this.#site = site
    this.#userAgent = userAgent
    this.#bounds = bounds
    this.#known = new Map(site.known.map(page => [page.url, page]))
    this.#endsAt = performance.now() + bounds.siteTimeoutMs
  }

  /** The page at an address, wherever in the site that leads. */
  async open(address: URL, mayLead: MayLead): Promise<Opened> {
    let url = address
    for (let redirects = 0; ; redirects++) {
      const robots = await this.#robotsOf(url)
      if (!robots.allows(url.pathname + url.search))
        throw new Unread(`The robots.txt of ${url.host} does not allow crawling ${url.pathname}.`, {
          outcome: 'blocked',
        })
      const answer = await this.#page(url, robots)
      const next = this.#redirectOf(answer, url)
      if (!next) return this.#opened(url, answer)
      if (!mayLead(url, next))
        throw new Unread(
          `This URL redirects to another site, ${next.host}. If it is the same company, add that site instead.`,
        )
      if (redirects === this.#bounds.redirects) throw new Unread('This URL redirects too many times.')
      url = next
    }
  }

  async #page(url: URL, robots: Robots): Promise<OutboundBytes> {
    const known = this.#known.get(url.href)
    const answer = await this.#request(url, Math.max(robots.delayMs, this.#bounds.pauseMs), {
      headers: {
        accept: 'text/html, application/xhtml+xml;q=0.9',
        'accept-encoding': ACCEPTED_ENCODINGS,
        ...(known?.etag && { 'if-none-match': known.etag }),
        ...(known?.last_modified && { 'if-modified-since': known.last_modified }),
      },
      bytesMax: this.#bounds.pageBytes,
    })
    return answer
  }

  async #opened(url: URL, answer: OutboundBytes): Promise<Opened> {
    const { status, headers } = answer
    const known = this.#known.get(url.href)
    if (status === 304 && known && (known.etag || known.last_modified))
      return { ...known, content: undefined }
    if (status === 404 || status === 410) throw new Unread(`Page not found (${status}).`, { outcome: 'gone' })
    if (status !== 200)
      throw new Unread(`The server returned status ${status}.`, { passing: status === 429 || status >= 500 })
    const type = headers['content-type']?.split(';')[0]!.trim().toLowerCase()
    if (type && type !== 'text/html' && type !== 'application/xhtml+xml')
      throw new Unread(`This URL is not a web page but ${type.slice(0, 80)}.`)
    const { bytes, isCut } = await unpacked(answer, this.#bounds.pageBytes)
    if (isCut) throw tooLarge(this.#bounds.pageBytes)
    return {
      url: url.href,
      etag: validator(headers['etag']),
      last_modified: validator(headers['last-modified']),
      content: { bytes, headers },
    }
  }

  /** As last read by any process, or else as it is now. */
  async #robotsOf(url: URL): Promise<Robots> {
    const read = this.#robots.get(url.host)
    if (read) return read
    const { manners } = this.#site
    let text = await manners.findRobots(url.host)
    if (text === undefined) {
      text = await this.#robotsText(url)
      await manners.keepRobots(url.host, text, ROBOTS_FRESH_MS)
    }
    const robots = readRobots(text, ROBOTS_TOKEN)
    this.#robots.set(url.host, robots)
    return robots
  }

  /** RFC 9309: where there is none everything is allowed; where it cannot be had nothing is, for now. */
  async #robotsText(site: URL): Promise<string> {
    let url = new URL('/robots.txt', site)
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#request(url, this.#bounds.pauseMs, {
        headers: { accept: 'text/plain', 'accept-encoding': ACCEPTED_ENCODINGS },
        bytesMax: ROBOTS_BYTES_MAX,
        longer: 'is_cut',
      })
      const next = this.#redirectOf(answer, url)
      if (next && redirects === this.#bounds.redirects) return ''
      if (next) {
        url = next
        continue
      }
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) return ''
      if (answer.status !== 200)
        throw new Unread(
          `The robots.txt of ${site.host} cannot be read: the server returned status ${answer.status}.`,
          {
            passing: true,
          },
        )
      const { bytes, isCut } = await unpacked(answer, ROBOTS_BYTES_MAX)
      const text = bytes.toString().replaceAll('\0', '')
      // A rule that is cut would say something else.
      return isCut || answer.isCut ? text.slice(0, text.search(/[^\r\n]*$/)) : text
    }
  }

  async #request(
    url: URL,
    pauseMs: number,
    asked: Omit<OutboundRequest, 'timeoutMs'>,
  ): Promise<OutboundBytes> {
    const { manners, signal } = this.#site
    const waitMs = await manners.takeTurn(url.host, pauseMs)
    const leftMs = this.#endsAt - performance.now()
    if (leftMs - waitMs <= 0)
      throw new Unread(`The crawl took longer than ${this.#bounds.siteTimeoutMs / 1_000} s.`, {
        passing: true,
      })
    try {
      await sleep(waitMs, undefined, { signal })
      return await safeFetchBytes(this.#outside, url.href, {
        ...asked,
        headers: { ...asked.headers, 'user-agent': this.#userAgent },
        timeoutMs: Math.ceil(Math.min(this.#bounds.pageTimeoutMs, leftMs - waitMs)),
        plain: 'at_allowed_hosts',
        ...(signal && { signal }),
      })
    } catch (error) {
      if (signal?.aborted) throw new Unread('The crawl was interrupted.', { passing: true, cause: error })
      throw error instanceof OutboundError ? inWords(error, asked.bytesMax) : error
    }
  }

  #redirectOf({ status, headers }: OutboundBytes, from: URL): URL | undefined {
    if (![301, 302, 303, 307, 308].includes(status)) return undefined
    // Headers come as Latin letters, whatever they were meant as.
    const location = Buffer.from(headers['location'] ?? '', 'latin1').toString()
    const next = location && addressOf(location, { base: from, plainHosts: this.#outside.outboundAllowHosts })
    if (!next) throw new Unread('This URL redirects to an invalid URL.')
    return next
  }
}

async function unpacked({ body, headers }: OutboundBytes, bytesMax: number) {
  try {
    return await unpack(body, headers['content-encoding'], bytesMax)
  } catch (error) {
    throw error instanceof PackedWrong ? new Unread(error.message, { cause: error }) : error
  }
}

/** What is sent back must be as it came, or not at all. */
function validator(header: string | undefined): string | null {
  return header && header.length <= VALIDATOR_LENGTH_MAX && /^[\x20-\x7e]+$/.test(header) ? header : null
}

function inWords(error: OutboundError, bytesMax: number): Unread {
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException
  if (error.code === 'too_large') return tooLarge(bytesMax)
  if (code === 'ENOTFOUND')
    return new Unread(error.message, { outcome: 'gone', isNoHost: true, cause: error })
  const passing = error.code === 'timeout' || (error.code === 'failed' && !CERTIFICATE_CODES.test(code ?? ''))
  return new Unread(error.message, { passing, cause: error })
}

function tooLarge(bytesMax: number): Unread {
  const kib = bytesMax / 1024
  return new Unread(`The page is larger than ${kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`}.`)
}
