import type { FastifyInstance } from 'fastify'
import { Problem } from '#platform/problem.ts'

/** What an address does not take is a 405 that says what it takes; OPTIONS tells the same without a failure. */
export function refuseOtherMethods(server: FastifyInstance, path: string, allowed: readonly string[]): void {
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
    handler: (_, reply) => reply.code(204).header('allow', allow).send(),
  })
}
