import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#platform/problem.ts'
import { malformedUrl } from './problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Pages of other sites may use this route. */
    anySite?: boolean
  }
}

type Address = { path: string; parts: readonly string[]; methods: readonly string[]; anySite: boolean }

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export type Addresses = {
  /** To call when every route is there. */
  complete(): void
  /** For what no route takes: what an address does not take is a 405; OPTIONS tells the same without a failure. */
  answer(request: FastifyRequest, reply: FastifyReply): Problem | 'answered' | undefined
}

/**
 * Knows what every address takes. Routes for all that is refused would be several times as many as the others, so they are
 * made only where another address would take it: `DELETE /leads/export` must not reach `DELETE /leads/:id`.
 */
export function knownAddresses(server: FastifyInstance): Addresses {
  const known = new Map<string, Address>()
  let addresses: Address[] | undefined
  server.addHook('onRoute', ({ method, url: path, config }) => {
    // What is only refused is nothing that an address takes.
    if (addresses) return
    const before = known.get(path)
    const taken = new Set([before?.methods ?? [], method].flat())
    known.set(path, {
      path,
      parts: before?.parts ?? path.split('/'),
      methods: METHODS.filter(name => taken.has(name)),
      anySite: before?.anySite || (config?.anySite ?? false),
    })
  })

  function complete(): void {
    addresses = inPrecision([...known.values()])
    // One that is written out takes only itself: few are left to compare each with.
    const open = addresses.filter(({ parts }) => parts.some(isOpen))
    const endless = open.filter(({ parts }) => parts.at(-1) === '*')
    const byLength = Map.groupBy(open, ({ parts }) => parts.length)
    for (const { path, parts, methods } of addresses) {
      const like = new Set([...(byLength.get(parts.length) ?? []), ...endless])
      const covering = [...like].filter(other => other.path !== path && covers(other, parts))
      const refused = new Set(covering.flatMap(other => other.methods)).difference(new Set(methods))
      const refuse = () => Promise.reject(refusal(methods))
      // In the first hook: a body that nobody wants is not read.
      if (refused.size > 0)
        server.route({ method: [...refused], url: path, onRequest: refuse, handler: refuse })
    }
  }

  function answer({ url, method }: FastifyRequest, reply: FastifyReply) {
    const parts = partsOf(url)
    // The router ignores everything after a # sign.
    if (!parts) return malformedUrl()
    const address = addresses?.find(other => covers(other, parts))
    if (!address) return undefined
    const { methods, anySite } = address
    if (method !== 'OPTIONS') return refusal(methods)
    void reply
      .code(204)
      .headers({ allow: allowed(methods), ...(anySite && preflight(methods)) })
      .send()
    return 'answered'
  }

  return { complete, answer }
}

function partsOf(url: string): string[] | undefined {
  try {
    return decodeURI(url.split('?', 1)[0]!).split('/')
  } catch {
    return undefined
  }
}

function covers({ parts }: Address, asked: readonly string[]): boolean {
  const goesOn = parts.at(-1) === '*'
  if (goesOn ? asked.length < parts.length : asked.length !== parts.length) return false
  return parts.every((part, at) => part === asked[at] || part === '*' || (part.startsWith(':') && asked[at]))
}

function isOpen(part: string): boolean {
  return part === '*' || part.startsWith(':')
}

/** As the router looks: a written name before a place for any. */
function inPrecision(addresses: Address[]): Address[] {
  return addresses
    .map(address => ({ address, rank: address.path.replaceAll(/:\w+/g, '\uffff') }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
    .map(({ address }) => address)
}

function refusal(methods: readonly string[]): Problem {
  const allow = allowed(methods)
  return new Problem('method_not_allowed', `Allowed methods: ${allow}.`, { headers: { allow } })
}

function allowed(methods: readonly string[]): string {
  return [...methods, 'OPTIONS'].join(', ')
}

/** What a browser asks before another site's page may send JSON here. */
function preflight(methods: readonly string[]): Record<string, string> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'authorization, content-type, content-disposition',
    'access-control-max-age': '86400',
  }
}
