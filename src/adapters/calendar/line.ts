import { CalendarRefused, CalendarUnavailable, type CalendarLogin } from '#platform/ports/calendar.ts'
import { OutboundError, safeFetch, type OutboundAnswer, type OutboundRequest } from '#platform/safe-fetch.ts'
import type { Settings } from '#platform/settings.ts'

export const ANSWER_BYTES_MAX = 4 * 1024 * 1024
export const CALL_TIMEOUT_MS = 10_000
/** One use of a calendar takes a handful; a server that keeps redirecting is given up at some point. */
export const CALLS_MAX = 16
const REDIRECTS_MAX = 4

export type Outside = Pick<Settings, 'outboundAllowHosts'>

/** The answer was longer than we read: half the time may have half as much. */
export class TooMuch extends CalendarRefused {}

/**
 * What `tsdav` calls in the place of fetch: the guard of everything that members' addresses lead to, signed in as the
 * member. It follows only where the same server leads, since the password goes along. What no caller could make good use
 * of is thrown here in our own words.
 */
export function openLine(outside: Outside, login: CalendarLogin, timeoutMs = CALL_TIMEOUT_MS): typeof fetch {
  const server = serverOf(login)
  const { username, password } = login
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  let calls = 0
  return async (address, init = {}) => {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), authorization }
    const asked = {
      method: init.method as OutboundRequest['method'],
      headers,
      ...(typeof init.body === 'string' && { body: init.body }),
    }
    let url = new URL(String(address))
    for (let redirects = 0; ; redirects++) {
      if (!isOfServer(url, server)) throw strayed(url)
      if (++calls > CALLS_MAX) throw new CalendarRefused('The server redirected too many times.')
      const answer = await call(outside, url, { ...asked, timeoutMs })
      const next = redirectOf(answer, url)
      if (!next) return response(answer, url)
      if (next.host !== url.host || next.protocol !== url.protocol) throw strayed(next)
      if (redirects === REDIRECTS_MAX) throw new CalendarRefused('The server redirected too many times.')
      url = next
    }
  }
}

/** The address as its member gave it. A name or a password in it would be kept where everybody of the team reads it. */
export function serverOf({ server_url }: Pick<CalendarLogin, 'server_url'>): URL {
  const url = URL.canParse(server_url) ? new URL(server_url) : undefined
  if (!url || !['https:', 'http:'].includes(url.protocol))
    throw new CalendarRefused('This is not a valid server URL.')
  if (url.username || url.password)
    throw new CalendarRefused('Remove the user name and password from the URL.')
  return url
}

/**
 * Large services keep each calendar on one of many hosts (caldav.example.com, p12-caldav.example.com) and say so in what
 * they answer: a host beside the given one is theirs as well, and is spoken to by https alone.
 */
export function isOfServer(url: URL, server: URL): boolean {
  if (url.host === server.host && url.protocol === server.protocol) return true
  const site = server.hostname.split('.').slice(1).join('.')
  return (
    url.protocol === 'https:' &&
    site.includes('.') &&
    /[a-z]$/.test(site) &&
    url.hostname.endsWith(`.${site}`)
  )
}

async function call(
  outside: Outside,
  url: URL,
  asked: Omit<OutboundRequest, 'bytesMax'>,
): Promise<OutboundAnswer> {
  const answer = await answered(outside, url, asked)
  const { status } = answer
  if (status === 401) throw new CalendarRefused('The server rejected the user name or password.')
  if (status === 403) throw new CalendarRefused('The server denied access.')
  if (status === 429 || status >= 500 || status < 200)
    throw new CalendarUnavailable(`The server returned status ${status}.`)
  return answer
}

async function answered(outside: Outside, url: URL, asked: Omit<OutboundRequest, 'bytesMax'>) {
  try {
    return await safeFetch(outside, url.href, {
      ...asked,
      bytesMax: ANSWER_BYTES_MAX,
      plain: 'at_allowed_hosts',
    })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.code === 'too_large')
      throw new TooMuch('The calendar has too many events in this period to read.')
    const Kind = ['address_refused', 'https_required'].includes(error.code)
      ? CalendarRefused
      : CalendarUnavailable
    throw new Kind(error.message, { cause: error })
  }
}

function redirectOf({ status, headers }: OutboundAnswer, from: URL): URL | undefined {
  const { location } = headers
  if (status < 300 || status > 399 || status === 304 || !location) return undefined
  return URL.canParse(location, from.href) ? new URL(location, from) : undefined
}

/** As fetch would have it: some statuses have no body, and the address is where the answer came from at last. */
function response({ status, headers, body }: OutboundAnswer, url: URL): Response {
  const kept = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const made = new Response([204, 205, 304].includes(status) ? null : body, { status, headers: kept })
  return Object.defineProperty(made, 'url', { value: url.href })
}

function strayed({ host }: URL): CalendarRefused {
  return new CalendarRefused(`The server redirects to ${host}. Use that URL instead.`)
}
