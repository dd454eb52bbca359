import { newId } from '#platform/ids.ts'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { Domain } from '#app'
import type { Endpoint } from '#platform/contract.ts'
import type { Runtime } from '#platform/context.ts'
import { acceptBodies, JSON_BODY_BYTES_MAX } from './body.ts'
import { serveDocs } from './docs.ts'
import { serveHealth } from './health.ts'
import type { Metrics } from './metrics.ts'
import { knownAddresses } from './methods.ts'
import { mount } from './mount.ts'
import { openApiDocument } from './openapi.ts'
import { brokenRequestAnswer, nothingHere, oauthAnswer, problemAnswer } from './problems.ts'
import { rateLimiter } from './rate-limit.ts'
import { sendReadyAnswers } from './ready.ts'
import { leanSecurityHeaders, securityHeaders } from './security-headers.ts'
import { cutSlowBodies } from './slow-bodies.ts'
import { serveWeb } from './web.ts'

/** A client that trickles is cut off; one that is only slow has all this time. A file has more of it. */
export const patience = {
  bodyMs: 30_000,
  uploadMs: 600_000,
  headersMs: 10_000,
  everyMs: 2_000,
  /** What is in hand when we stop is answered within this time; a client that only trickles must not hold us up. */
  closingMs: 5_000,
}
const KEEP_ALIVE_MS = 65_000
const PARAMETER_LENGTH_MAX = 8_000

export type ServerOptions = {
  runtime: Runtime
  domains: readonly Domain[]
  metrics: Metrics
  /** Where the built web app lies; absent: only the API. */
  webFolder?: string
  onAnswer?: (endpoint: Endpoint, value: unknown) => void
  isStopping?: () => boolean
  /** Whose word about the caller's address is taken. */
  trustedProxies?: readonly string[]
}

export function createServer(options: ServerOptions): FastifyInstance {
  const {
    runtime,
    domains,
    metrics,
    webFolder,
    onAnswer,
    isStopping = () => false,
    trustedProxies = [],
  } = options
  const always = securityHeaders(runtime.settings.baseUrl)
  const lean = leanSecurityHeaders(runtime.settings.baseUrl)
  const server = fastify({
    logger: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: JSON_BODY_BYTES_MAX,
    requestTimeout: patience.uploadMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { headersTimeout: patience.headersMs, connectionsCheckingInterval: patience.everyMs },
    forceCloseConnections: 'idle',
    // What arrives on an open connection while we stop is still answered; the connection is closed after it.
    return503OnClosing: false,
    genReqId: () => newId(),
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
    // An address that cannot even be decoded reaches no hook.
    frameworkErrors: (error, request, reply) => {
      const { status, headers, body } = problemAnswer(error, request.id)
      const bare = reply as unknown as FastifyReply
      void bare
        .code(status)
        .headers({ ...always, 'x-request-id': request.id, ...headers })
        .send(body)
    },
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy(error)
      else socket.end(brokenRequestAnswer(error.code), () => socket.destroy())
    },
  })
  const addresses = knownAddresses(server)
  acceptBodies(server)
  cutSlowBodies(server, { timeoutMs: patience.bodyMs, everyMs: patience.everyMs })

  // These wait for nothing, and every request goes through them: no promise is made.
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(request.routeOptions.config.lean ? lean : always)
    // The next request on this connection belongs to another process.
    if (isStopping()) reply.header('connection', 'close')
    if (!request.is404) return done()
    const answer = addresses.answer(request, reply)
    if (answer === 'answered') return
    // Nobody reads a body that is sent to nowhere.
    const reads = request.method === 'GET' || request.method === 'HEAD'
    done(answer ?? (reads ? undefined : nothingHere()))
  })
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    metrics.observe(route, request.method, reply.statusCode, reply.elapsedTime / 1000)
    const ms = Math.round(reply.elapsedTime)
    runtime.log.debug(
      { request: request.id, method: request.method, route, status: reply.statusCode, ms },
      'request',
    )
    done()
  })
  server.addHook('preClose', async () => {
    const impatient = setTimeout(() => server.server.closeAllConnections(), patience.closingMs)
    server.server.once('close', () => clearTimeout(impatient))
  })
  server.setErrorHandler((error, request, reply) => {
    const tell = request.routeOptions.config.errors === 'oauth' ? oauthAnswer : problemAnswer
    const answer = tell(error, request.id)
    if (answer.status >= 500) {
      runtime.log.error(
        { err: error, request: request.id, route: request.routeOptions.url },
        'request failed',
      )
    }
    return reply.code(answer.status).headers(answer.headers).send(answer.body)
  })

  serveDocs(server, () => openApiDocument(domains, runtime.settings.baseUrl))
  const limiter = rateLimiter(runtime)
  serveHealth(server, { runtime, limiter, metrics, isStopping })
  mount(server, domains, { runtime, limiter, ...(onAnswer && { onAnswer }) })
  // Behind a proxy everybody comes from its address: who asks is for the framework to find out.
  if (trustedProxies.length === 0) {
    const ready = { runtime, limiter, metrics, always: lean, isStopping }
    sendReadyAnswers(server.server, domains, ready)
  }
  if (webFolder) serveWeb(server, runtime, webFolder)
  else server.setNotFoundHandler(() => Promise.reject(nothingHere()))
  addresses.complete()
  return server
}
