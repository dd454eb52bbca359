import { REDIRECT_URI_LENGTH_MAX } from './values.ts'

/** An app's own scheme is its domain turned round (RFC 8252): it has a dot, which no scheme of a browser has. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/[^\s#]*$/i
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?][^#]*)?)$/

/**
 * What is wrong with an address a client wants to be redirected to; undefined when nothing is. `web` leaves out apps'
 * own schemes, which anybody can claim: for clients that nobody vouches for.
 */
export function faultOfRedirectUri(uri: string, { web = false } = {}): string | undefined {
  if (uri.length > REDIRECT_URI_LENGTH_MAX) return `can have at most ${REDIRECT_URI_LENGTH_MAX} characters`
  // Printable ASCII only: what a browser would have to rewrite is not the same to the letter any more.
  if (!/^[\x21-\x7e]+$/.test(uri) || /[\\<>"^`{|}]/.test(uri))
    return 'has characters that are not valid in a URL'
  if (uri.includes('#')) return 'must not have a fragment'
  if (LOOPBACK.test(uri)) return URL.canParse(uri) ? undefined : 'has an invalid port'
  if (!web && PRIVATE_SCHEME.test(uri)) return undefined
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (url?.protocol !== 'https:' || !/^https:\/\/[^/]/.test(uri))
    return 'must be https, or http on this machine (127.0.0.1)'
  if (url.username || url.password || uri.slice(8).split(/[/?]/)[0]!.includes('@'))
    return 'must not contain a user name'
  if (url.hostname.includes('*')) return 'must not contain a wildcard'
  return undefined
}

/** Equal to the letter to one that was registered. On loopback the port may differ: a program takes whichever is free. */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.includes(uri) || registered.some(known => isSameButPort(uri, known))
}

/** The answer's parameters behind whatever query the address has of its own. */
export function withParameters(uri: string, parameters: Record<string, string>): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(parameters).toString()}`
}

/** What a person should look at: the host, or the app's own scheme. */
export function hostOf(uri: string): string {
  const { host, protocol } = new URL(uri)
  return host || protocol.slice(0, -1)
}

/** Where a form may lead in the end, for the page's policy: browsers hold redirects after a form to it as well. */
export function formTarget(uri: string): string {
  const { origin, protocol } = new URL(uri)
  return origin === 'null' ? protocol : origin
}

function isSameButPort(uri: string, known: string): boolean {
  if (!URL.canParse(uri)) return false
  const [asked, own] = [LOOPBACK.exec(uri), LOOPBACK.exec(known)]
  return asked !== null && own !== null && asked[1] === own[1] && asked[2] === own[2]
}
