import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { brokenRequestAnswer } from './problems.ts'

type Limits = { timeoutMs: number; everyMs: number }
type Coming = { sinceMs: number; answered: boolean }

/**
 * Node knows one time for all requests, and a file needs minutes. So that is the server's, and every other body is held
 * to its own here: one look at the oldest of those that are still coming in, every few seconds. A file that was refused
 * is like any other body from then on.
 */
export function cutSlowBodies(server: FastifyInstance, { timeoutMs, everyMs }: Limits): void {
  // In the order of their times, so that a look ends at the first one that still has some left.
  const bodies = new Map<IncomingMessage, Coming>()

  server.addHook('onRequest', (request, _, done) => {
    const { raw } = request
    if (!raw.complete && hasBody(raw) && !request.routeOptions.config.upload)
      bodies.set(raw, { sinceMs: performance.now(), answered: false })
    done()
  })
  server.addHook('onResponse', ({ raw }, _, done) => {
    const body = bodies.get(raw)
    if (raw.complete) bodies.delete(raw)
    else if (body) body.answered = true
    else bodies.set(raw, { sinceMs: performance.now(), answered: true })
    done()
  })

  const looking = setInterval(() => {
    const late = performance.now() - timeoutMs
    for (const [raw, { sinceMs, answered }] of bodies) {
      if (sinceMs > late) return
      bodies.delete(raw)
      if (!raw.complete) cut(raw, answered)
    }
  }, everyMs)
  looking.unref()
  server.addHook('onClose', async () => clearInterval(looking))
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
}

function cut({ socket }: IncomingMessage, answered: boolean): void {
  if (answered || !socket.writable) return void socket.destroy()
  socket.end(brokenRequestAnswer('ERR_HTTP_REQUEST_TIMEOUT'), () => socket.destroy())
}
