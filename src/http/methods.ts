import type { FastifyInstance } from 'fastify'
import { Problem } from '#platform/problem.ts'

/** What an address does not take is a 405 that says what it takes; OPTIONS tells the same without a failure. */
export function refuseOtherMethods(
  server: FastifyInstance,
  path: string,
  allowed: readonly string[],
  fromAnySite = false,
): void {
  const allow = [...allowed, 'OPTIONS'].join(', ')
  const refuse = async () => {
    throw new Problem('method_not_allowed', `This address takes ${allow}.`, { headers: { allow } })
  }
  const others = server.supportedMethods.filter(method => method !== 'OPTIONS' && !allowed.includes(method))
  // In the first hook: a body that nobody wants is not read.
  server.route({ method: others, url: path, onRequest: refuse, handler: refuse })
  server.route({
    method: 'OPTIONS',
    url: path,
    handler: (_, reply) =>
      reply
        .code(204)
        .headers({ allow, ...(fromAnySite && preflight(allowed)) })
        .send(),
  })
}

/** What a browser asks before another site's page may send JSON here. */
function preflight(allowed: readonly string[]): Record<string, string> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': allowed.join(', '),
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': '86400',
  }
}
