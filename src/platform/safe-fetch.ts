import { lookup as lookUp, type LookupAddress } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Settings } from './settings.ts'

/**
 * Why a request was not made, or not finished. The message may be shown to the person who entered the URL.
 */
export class OutboundError extends Error {
  readonly code: 'address_refused' | 'https_required' | 'timeout' | 'too_large' | 'failed'

  constructor(code: OutboundError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export type OutboundRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PROPFIND' | 'REPORT'
  headers?: Record<string, string>
  body?: string | Buffer
  timeoutMs: number
  bytesMax: number
  /** What happens to a longer response: it fails by default, or is truncated. */
  longer?: 'fails' | 'is_cut'
  /** Whether http will do at the hosts that the operator allows; everywhere else it is https. */
  plain?: 'at_allowed_hosts'
  /** By which the caller gives it up before its time is over. */
  signal?: AbortSignal
}

export type OutboundAnswer = { status: number; headers: Record<string, string | undefined>; body: string }

/** `isCut`: there was more of it than the caller wants. */
export type OutboundBytes = Omit<OutboundAnswer, 'body'> & { body: Buffer; isCut: boolean }

/**
 * The one way to an address that somebody else chose. Only https; only public addresses, and that is decided on the very
 * address the connection is made to, so that a name cannot be one thing when it is checked and another when it is used;
 * redirects are not followed; time and size have an end.
 */
export async function safeFetch(
  outside: Outside,
  address: string,
  asked: OutboundRequest,
): Promise<OutboundAnswer> {
  const { body, ...answer } = await fetched(outside, address, asked)
  return { ...answer, body: beginningOf(body, asked.bytesMax) }
}

/** The same way for what is no text, or whose letters the caller must find out about. */
export async function safeFetchBytes(
  outside: Outside,
  address: string,
  asked: OutboundRequest,
): Promise<OutboundBytes> {
  const { body, ...answer } = await fetched(outside, address, asked)
  return { ...answer, body: body.subarray(0, asked.bytesMax), isCut: body.length > asked.bytesMax }
}

export type Outside = Pick<Settings, 'outboundAllowHosts'>
type Fetched = Omit<OutboundAnswer, 'body'> & { body: Buffer }

async function fetched(
  { outboundAllowHosts }: Outside,
  address: string,
  asked: OutboundRequest,
): Promise<Fetched> {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? ''
  const allowed = outboundAllowHosts.includes(host.toLowerCase())
  const plain = url?.protocol === 'http:' && allowed && asked.plain === 'at_allowed_hosts'
  if (!url || (url.protocol !== 'https:' && !plain))
    throw new OutboundError('https_required', 'The URL must be https.')
  const lookup = guardedLookup({ outboundAllowHosts }, host)
  const timeout = AbortSignal.timeout(asked.timeoutMs)
  const signal = asked.signal ? AbortSignal.any([timeout, asked.signal]) : timeout
  const options: RequestOptions = {
    method: asked.method ?? 'GET',
    headers: { 'user-agent': 'Rapport', ...asked.headers },
    lookup,
    agent: false,
    signal,
  }
  try {
    return await answered(await sent(url, options, asked.body), asked)
  } catch (error) {
    if (asked.signal?.aborted)
      throw new OutboundError('failed', 'The request was cancelled.', { cause: error })
    if (timeout.aborted)
      throw new OutboundError('timeout', `No response within ${asked.timeoutMs / 1000} s.`, { cause: error })
    if (error instanceof OutboundError) throw error
    throw new OutboundError('failed', reasonOf(error), { cause: error })
  }
}

/**
 * How a host that somebody else chose is looked up when a connection to it is made; undefined where the operator allows it.
 * Throws for an address that is not public.
 */
export function guardedLookup({ outboundAllowHosts }: Outside, host: string): LookupFunction | undefined {
  if (outboundAllowHosts.includes(host.toLowerCase())) return undefined
  // An address in the place of a name is never looked up, so it is judged here.
  if (isIP(host) && !isPublic(host)) throw refused(host)
  return publicLookup
}

/** Public unicast: no private, loopback, link-local, shared, reserved or translated range. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  // Of IPv6 an eighth is given out. The rest leads nowhere, or by an older reading to where we are.
  return parsed.kind() === 'ipv4' || parsed.match(ALL_GIVEN_OUT)
}

const ALL_GIVEN_OUT = ipaddr.IPv6.parseCIDR('2000::/3')

/** Every address a name has must be public: a connection may be made to any of them. */
const publicLookup: LookupFunction = (name, options, done) => {
  lookUp(name, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return done(error, '')
    const wrong = addresses.find(({ address }) => !isPublic(address))
    // What the name resolves to internally must not be disclosed to the person who entered the URL.
    if (wrong || addresses.length === 0) return done(refused(name), '')
    if (options.all) return done(null, addresses)
    done(null, addresses[0]!.address, addresses[0]!.family)
  })
}

/** As text, and no character of it is half. */
export function beginningOf(bytes: Buffer, bytesMax: number): string {
  if (bytes.length <= bytesMax) return bytes.toString()
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, bytesMax), { stream: true })
}

function sent(
  url: URL,
  options: RequestOptions,
  body: string | Buffer | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'http:' ? httpRequest : httpsRequest)(url, options, resolve)
    request.on('error', reject)
    // A server that wants to switch protocols gets no answer to that; otherwise there would be no response to
    // wait for.
    request.on('upgrade', (_, socket) => socket.destroy())
    request.on('close', () => reject(new Error('The connection was closed without a response.')))
    request.end(body)
  })
}

async function answered(
  response: IncomingMessage,
  { bytesMax, longer = 'fails' }: OutboundRequest,
): Promise<Fetched> {
  const chunks: Buffer[] = []
  let size = 0
  // Left before its end, the answer is read no further and its connection is closed.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size <= bytesMax) continue
    if (longer === 'is_cut') break
    throw new OutboundError('too_large', `The response is larger than ${bytesMax} bytes.`)
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  )
  return { status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks) }
}

function refused(address: string): OutboundError {
  return new OutboundError('address_refused', `${address} is not a public address.`)
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOTFOUND') return 'Host not found.'
  // Where each of several addresses failed, only the code says how.
  return message || code || 'The request failed.'
}
