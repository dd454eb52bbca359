import { isIP } from 'node:net'

/** An address is kept in an index, which takes no endless ones. */
export const URL_LENGTH_MAX = 1_000

/** Second levels below which everybody has a name of their own, besides those that countries call so. */
const SHARED_SUFFIXES = new Set(
  `github.io gitlab.io netlify.app vercel.app pages.dev workers.dev web.app firebaseapp.com herokuapp.com onrender.com
  blogspot.com wordpress.com wixsite.com weebly.com webflow.io squarespace.com myshopify.com jimdosite.com jimdofree.com
  azurewebsites.net cloudfront.net appspot.com business.site godaddysites.com tumblr.com notion.site
  uk.com us.com eu.com de.com`.split(/\s+/),
)
const COUNTRY_SECOND_LEVELS =
  /^(?:co|com|net|org|gov|gob|govt|edu|ac|or|ne|go|gr|nom|ltd|plc|me|sch|mil|id|web)$/

/** With its www and without, it is one site. */
export function isSameSite(one: URL, other: URL): boolean {
  return one.port === other.port && withoutWww(one.hostname) === withoutWww(other.hostname)
}

/** Of one owner, as far as names tell: shop.company.co.uk and www.company.co.uk. */
export function isSameName(one: URL, other: URL): boolean {
  return one.port === other.port && ownName(one.hostname) === ownName(other.hostname)
}

/** The same place at the other of the two names that a site has. */
export function twinOf(url: URL): URL | undefined {
  if (isIP(url.hostname.replace(/^\[|\]$/g, ''))) return undefined
  const twin = new URL(url)
  twin.hostname = url.hostname.startsWith('www.') ? withoutWww(url.hostname) : `www.${url.hostname}`
  return twin
}

/**
 * Where an address on a page leads; none where that is no page. It is https, but at the hosts where the operator allows
 * the other, and it has no fragment, name or password.
 */
export function addressOf(
  text: string,
  { base, plainHosts }: { base: URL; plainHosts: readonly string[] },
): URL | undefined {
  const url = URL.parse(text.trim(), base.href)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  if (url.protocol === 'http:' && !plainHosts.includes(url.hostname.replace(/^\[|\]$/g, '')))
    url.protocol = 'https:'
  url.hash = ''
  url.username = ''
  url.password = ''
  return url.href.length > URL_LENGTH_MAX ? undefined : url
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '')
}

function ownName(host: string): string {
  if (isIP(host.replace(/^\[|\]$/g, ''))) return host
  const labels = host.replace(/\.$/, '').split('.')
  const [second = '', top = ''] = labels.slice(-2)
  const isShared =
    SHARED_SUFFIXES.has(`${second}.${top}`) || (top.length === 2 && COUNTRY_SECOND_LEVELS.test(second))
  return labels.slice(isShared ? -3 : -2).join('.')
}
