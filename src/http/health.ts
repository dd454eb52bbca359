import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Runtime } from '#platform/context.ts'
import { networkOf } from '#platform/network.ts'
import { Problem } from '#platform/problem.ts'
import { holdsSecret } from './access.ts'
import type { Metrics } from './metrics.ts'
import { perAddressRefused, perProbe, type RateLimiter } from './rate-limit.ts'

type Options = { runtime: Runtime; limiter: RateLimiter; metrics: Metrics; isStopping: () => boolean }

/** For those who watch over the process: is it alive, should it get requests, how is it doing. */
export function serveHealth(
  server: FastifyInstance,
  { runtime, limiter, metrics, isStopping }: Options,
): void {
  const { rateLimit, metricsToken } = runtime.settings
  const limit = (policy: typeof perProbe, { ip }: FastifyRequest) =>
    rateLimit ? limiter.take(policy, networkOf(ip)) : {}

  // Costs nothing: whatever restarts the process by it must always get a response.
  server.get('/healthz', () => ({ status: 'ok' }))
  server.get('/readyz', async (request, reply) => {
    reply.headers(await limit(perProbe, request))
    if (isStopping()) return reply.code(503).send({ status: 'stopping' })
    try {
      await runtime.pool.flush([{ text: 'select 1', values: [] }])
      // It answers, and would refuse what is to be kept.
      if (runtime.pool.lacksRoom())
        return await reply.code(503).header('retry-after', '30').send({ status: 'database full' })
      return { status: 'ready' }
    } catch {
      return reply.code(503).header('retry-after', '2').send({ status: 'database unavailable' })
    }
  })
  server.get('/metrics', async (request, reply) => {
    reply.headers(await limit(perProbe, request))
    if (metricsToken !== undefined && !holdsSecret(request, metricsToken)) {
      await limit(perAddressRefused, request)
      throw new Problem('unauthenticated', 'Send METRICS_TOKEN as a bearer token.', {
        headers: { 'www-authenticate': 'Bearer' },
      })
    }
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}
