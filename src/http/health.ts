import type { FastifyInstance } from 'fastify'
import type { Runtime } from '#platform/context.ts'
import type { Metrics } from './metrics.ts'

type Options = { runtime: Runtime; metrics: Metrics; isStopping: () => boolean }

/** For those who watch over the process: is it alive, should it get requests, how is it doing. */
export function serveHealth(server: FastifyInstance, { runtime, metrics, isStopping }: Options): void {
  server.get('/healthz', () => ({ status: 'ok' }))
  server.get('/readyz', async (_, reply) => {
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
  server.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()))
}
