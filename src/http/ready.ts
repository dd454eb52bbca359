import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Domain } from '#app'
import type { Answer } from '#platform/answer.ts'
import type { Runtime } from '#platform/context.ts'
import type { Ready } from '#platform/contract.ts'
import { isId } from '#platform/ids.ts'
import { networkOf } from '#platform/network.ts'
import { Problem } from '#platform/problem.ts'
import type { Metrics } from './metrics.ts'
import { perAddress, type RateLimiter } from './rate-limit.ts'

type Options = {
  runtime: Runtime
  limiter: RateLimiter
  metrics: Metrics
  /** What every answer says. */
  always: Record<string, string>
  /** While we stop, an answer says so, as the usual ones do. */
  isStopping: () => boolean
}

/**
 * Runs before the framework: a prepared response is sent immediately, without the usual processing; only the
 * rate limit is checked. Anything but the simplest request takes the usual path.
 */
export function sendReadyAnswers(server: Server, domains: readonly Domain[], options: Options): void {
  const { runtime, limiter, metrics, always, isStopping } = options
  const places = placesOf(domains)
  const known = new WeakMap<Answer, Written>()
  const [usual] = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (!isSent(request, response)) usual!(request, response)
  })

  function isSent(request: IncomingMessage, response: ServerResponse): boolean {
    const place = isPlain(request) ? places.find(({ prefix }) => request.url!.startsWith(prefix)) : undefined
    if (!place || isStopping()) return false
    const id = request.url!.slice(place.prefix.length)
    const answer = isId(id) ? place.ready(runtime, { [place.name]: id }) : undefined
    const limits = answer && limitsOf(request)
    if (!answer || !limits) return false
    let written = known.get(answer)
    if (!written) known.set(answer, (written = writtenOut(answer, always)))
    // Nothing of it is logged, so that there is nothing to find by an id of its own.
    response.writeHead(answer.status, limits === NONE ? written.headers : written.headers.concat(limits))
    response.end(written.body, written.encoding)
    metrics.countReady(place.path)
    return true
  }

  /** Undefined for a caller over the limit, or near it: the usual way counts once more, and waits where it must. */
  function limitsOf({ socket }: IncomingMessage): string[] | undefined {
    if (!runtime.settings.rateLimit) return NONE
    try {
      const headers = limiter.takeNow(perAddress, networkOf(socket.remoteAddress ?? ''))
      return headers && flat(headers)
    } catch (error) {
      if (error instanceof Problem) return undefined
      throw error
    }
  }
}

type Place = { path: string; prefix: string; name: string; ready: Ready }

/** Those whose address ends with an id. */
function placesOf(domains: readonly Domain[]): Place[] {
  return domains.flatMap(({ endpoints, api }) =>
    Object.entries(endpoints).flatMap(([key, { path }]) => {
      const ready = api[key]?.ready
      const [, prefix, name] = /^(.*\/):(\w+)$/.exec(path) ?? []
      return ready && prefix && name ? [{ path, prefix, name, ready }] : []
    }),
  )
}

/** Nothing in it could be wrong, and nothing asks for anything special. */
function isPlain({ method, rawHeaders }: IncomingMessage): boolean {
  if (method !== 'GET') return false
  // As they came: an object of them all costs more than a look at their names.
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (special.has(rawHeaders[at]!.toLowerCase())) return false
  return true
}
const special: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'origin',
  'transfer-encoding',
])
const NONE: string[] = []

type Written = { headers: string[]; body: string; encoding: 'latin1' | 'utf8' }

function writtenOut({ headers, body }: Answer, always: Record<string, string>): Written {
  const text = body as string
  const length = Buffer.byteLength(text)
  return {
    headers: flat({ ...always, 'content-length': String(length), ...headers }),
    body: text,
    // Where both are the same, this one is written without a look at each letter.
    encoding: length === text.length ? 'latin1' : 'utf8',
  }
}

/** As Node takes them without a look at each name. */
function flat(headers: Record<string, string | string[]>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [name, String(value)])
}
