import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Domain } from '#app'
import { Answer } from '#platform/answer.ts'
import type { Context, Runtime } from '#platform/context.ts'
import type { Endpoint, Handler } from '#platform/contract.ts'
import { IDEMPOTENCY_KEY_LENGTH_MAX, once, type SavedAnswer } from '#platform/idempotency.ts'
import { Problem } from '#platform/problem.ts'
import { etagOf, versionOf } from '#platform/version.ts'
import { isGuardFailure } from '#domains/identity/authenticate.ts'
import { admit, checkSignature, isSignedFor, type Admission } from './access.ts'
import { ANY_FILE, takeAsFile, textOf } from './body.ts'
import { holdsTag } from './conditional.ts'
import { parseJson } from './json.ts'
import type { RateLimiter } from './rate-limit.ts'
import { bodyCheck, noBodyCheck, paramsCheck, queryParser, type Check } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    admission: Admission | undefined
  }
}

export type MountOptions = {
  runtime: Runtime
  limiter: RateLimiter
  /** Tests check every answer against its schema. */
  onAnswer?: (endpoint: Endpoint, value: unknown) => void
}

/** Contracts become routes: admit, read, validate, handle, answer. */
export function mount(server: FastifyInstance, domains: readonly Domain[], options: MountOptions): void {
  server.decorateRequest('admission', undefined)
  const mounted = domains.flatMap(({ endpoints, api }) =>
    Object.entries(endpoints).map(([name, endpoint]) => ({ endpoint, handler: api[name]! })),
  )
  for (const { endpoint, handler } of mounted) server.route(route(endpoint, handler, options))
}

function route(endpoint: Endpoint, handler: Handler<Endpoint>, options: MountOptions): RouteOptions {
  const { runtime, limiter, onAnswer } = options
  const checkParams = endpoint.params && paramsCheck(endpoint.params)
  const parseQuery = queryParser(endpoint.query)
  const checkBody =
    endpoint.unchecked ||
    endpoint.signedBody ||
    endpoint.upload ||
    isSignedFor(endpoint.auth) ||
    (endpoint.form && !endpoint.body)
      ? undefined
      : bodyCheckOf(endpoint)

  async function respond(request: FastifyRequest, reply: FastifyReply) {
    const { ctx, headers } = request.admission!
    reply.headers(headers)
    if (mayChange(endpoint)) for (const gate of runtime.registry.gates) await gate(ctx, endpoint)
    if (isSignedFor(endpoint.auth)) await checkSignature(runtime, limiter, endpoint.auth, request)
    checkParams?.(request.params)
    const asked = request.query as Record<string, string | string[]>
    const query = endpoint.unchecked || endpoint.hidden ? asked : parseQuery(asked)
    checkBody?.(request.body)

    const work = async (ctx: Context): Promise<SavedAnswer | Answer> => {
      const value: unknown = await handler(ctx, {
        params: request.params as never,
        query: query as never,
        body: bodyOf(endpoint, request) as never,
        headers: headersOf(request),
        method: request.method,
        signal: goneSignal(request, reply, endpoint),
        stillAdmitted: request.admission!.stillHolds ?? always,
        ...ifMatchOf(endpoint, request),
      } as never)
      onAnswer?.(endpoint, value)
      if (value instanceof Answer) return value
      return jsonAnswer(endpoint, request, value)
    }

    const key = request.headers['idempotency-key']
    if (key !== undefined && endpoint.upload) throw keyNotTaken()
    if (key === undefined || !takesKey(endpoint)) {
      const answer = await work(ctx)
      // Usually done long before; a response that needed no statement must not go to a caller who lost
      // access.
      await ctx.confirm()
      return send(reply, answer, request)
    }
    const attempt = { key: checkKey(key), fingerprint: fingerprint(request) }
    const { answer, replayed } = await once(ctx, attempt, async ctx => saved(await work(ctx)))
    if (replayed) reply.header('idempotency-replayed', 'true')
    return send(reply, answer, request)
  }

  /**
   * A caller admitted from memory whose access has changed has done nothing yet: they are looked up, and the
   * request is tried again.
   */
  async function respondIfStillAdmitted(request: FastifyRequest, reply: FastifyReply) {
    try {
      return await confirmed(request.admission!.ctx, () => respond(request, reply))
    } catch (error) {
      if (!isGuardFailure(error)) throw error
      request.admission = await admit(runtime, limiter, endpoint.auth, request, { fresh: true })
      return respond(request, reply)
    }
  }

  return {
    method: endpoint.method,
    url: endpoint.path,
    config: {
      form: endpoint.form ?? false,
      ...(endpoint.repeats && { repeats: true }),
      ...(endpoint.multipart && { multipart: true }),
      ...((isSignedFor(endpoint.auth) || endpoint.signedBody) && { raw: true }),
      ...(endpoint.upload && { upload: endpoint.upload }),
      ...(endpoint.errors && { errors: endpoint.errors }),
      ...(isLean(endpoint) && { lean: true }),
      ...(endpoint.auth === 'open' && { anySite: true }),
    },
    ...(endpoint.signedBody && { bodyLimit: endpoint.signedBody.bytesMax }),
    exposeHeadRoute: isReadable(endpoint),
    onRequest: admitFirst,
    handler: respondIfStillAdmitted,
  }

  /** Before the body is even read: a stranger costs neither memory nor time. */
  async function admitFirst(request: FastifyRequest, reply: FastifyReply) {
    if (endpoint.auth === 'open') reply.headers(forAnybody)
    // A stream lasts for minutes, in either direction: its caller is looked up, not taken from memory.
    request.admission = await admit(runtime, limiter, endpoint.auth, request, {
      fresh: Boolean(endpoint.media ?? endpoint.upload),
      crowd: endpoint.crowd ?? false,
      hourly: endpoint.hourly,
    })
    if (endpoint.upload === ANY_FILE) takeAsFile(request)
  }
}

/** No cookie counts and none is sent: any page may read the answer. */
const forAnybody = { 'access-control-allow-origin': '*' }

/** Of a signed message the text as well: it is kept as it came, and no field of it is judged here. */
function bodyOf({ upload, auth, signedBody }: Endpoint, { body }: FastifyRequest): unknown {
  if (upload) return body ?? Readable.from([])
  if (!isSignedFor(auth) && !signedBody) return body
  const text = textOf((body as Buffer | undefined) ?? Buffer.alloc(0))
  return { text, json: parseJson(text, { keepBroken: true }) }
}

function headersOf({ headers, routeOptions, fileType }: FastifyRequest): Record<string, string | undefined> {
  const sent = headers as Record<string, string | undefined>
  return routeOptions.config.upload === ANY_FILE ? { ...sent, 'content-type': fileType } : sent
}

function bodyCheckOf({ body }: Endpoint): Check {
  return body ? bodyCheck(body) : noBodyCheck
}

/** A caller who is no longer valid learns only that, whatever else is wrong with the request. */
async function confirmed<Result>(ctx: Context, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) await ctx.confirm()
    throw error
  }
}

/** A request of somebody we know, in a team, that is not just a look. */
function mayChange({ method, auth }: Endpoint): boolean {
  return method !== 'GET' && isForKnown(auth)
}

export function isForKnown(auth: Endpoint['auth']): boolean {
  return typeof auth === 'object' && ('scope' in auth || 'role' in auth)
}

/** JSON for somebody we know, which no browser displays: the headers that protect pages would be dead weight. */
function isLean({ lean, auth, media }: Endpoint): boolean {
  return lean ?? (isForKnown(auth) && !media)
}

/** HEAD goes with GET, but not where GET does something: a job route must not run because somebody looked. */
function isReadable({ method, auth }: Endpoint): boolean {
  return method === 'GET' && !(typeof auth === 'object' && 'cron' in auth)
}

/**
 * Every authenticated POST. The job routes are safe to repeat anyway, and an upload does nothing until it is
 * started: keeping a response for it would hold a transaction for as long as the upload takes.
 */
export function takesKey({ method, auth, upload }: Endpoint): boolean {
  return method === 'POST' && isForKnown(auth) && !upload
}

function keyNotTaken(): Problem {
  return new Problem(
    'malformed',
    'Uploads do not accept an Idempotency-Key: sending a file twice changes nothing.',
    {
      code: 'idempotency_key_not_taken',
    },
  )
}

function jsonAnswer(endpoint: Endpoint, request: FastifyRequest, value: unknown): SavedAnswer {
  if (value === undefined || endpoint.status === 204) return { status: 204, headers: {}, body: null }
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' }
  const { id, updated_at, next_cursor } = value as {
    id?: string
    updated_at?: string
    next_cursor?: string | null
  }
  const status = endpoint.status ?? 200
  if (endpoint.etag && updated_at) headers.etag = etagOf(updated_at)
  if (status === 201) Object.assign(headers, locationOf(endpoint, id, request.params as object))
  if (next_cursor) headers.link = `<${nextPage(request.url, next_cursor)}>; rel="next"`
  return { status, headers, body: JSON.stringify(value) }
}

/** What a protocol of others creates has no address here, and no `id`. */
function locationOf(endpoint: Endpoint, id: string | undefined, params: object): { location?: string } {
  const { location = `${endpoint.path}/{id}` } = endpoint
  if (id === undefined && location.includes('{id}')) return {}
  const inPath = new Map(Object.entries(params) as [string, string][])
  const filled = location.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(inPath.get(name)!))
  return { location: filled.replace('{id}', id ?? '') }
}

function nextPage(url: string, cursor: string): string {
  const next = new URL(url, 'http://host')
  next.searchParams.set('cursor', cursor)
  return next.pathname + next.search
}

async function send(reply: FastifyReply, answer: SavedAnswer | Answer, request: FastifyRequest) {
  const { etag } = answer.headers
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (!('cache-control' in answer.headers)) reply.header('cache-control', 'no-store')
  if (reads && typeof etag === 'string' && holdsTag(request.headers['if-none-match'], etag)) {
    return reply.code(304).header('etag', etag).send()
  }
  reply.code(answer.status).headers(answer.headers)
  // What is said on every answer can be left out of one by saying nothing.
  for (const [name, value] of Object.entries(answer.headers)) if (value === '') reply.removeHeader(name)
  const { body } = answer
  if (body === null || body === undefined) return reply.send()
  // A stream as it is: closed with the connection, even before anything of it was read.
  const isReady = typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Readable
  return reply.send(isReady ? body : Readable.from(body))
}

/** Only text is kept: no endpoint that streams takes a POST with a key. */
function saved(answer: SavedAnswer | Answer): SavedAnswer {
  if (!(answer instanceof Answer)) return answer
  const { status, headers, body } = answer
  return {
    status,
    headers: headers as Record<string, string>,
    body: body === undefined ? null : String(body),
  }
}

function checkKey(key: string | string[]): string {
  if (typeof key === 'string' && key.length > 0 && key.length <= IDEMPOTENCY_KEY_LENGTH_MAX) return key
  throw new Problem(
    'malformed',
    `Send one Idempotency-Key of 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} characters.`,
    {
      code: 'idempotency_key_malformed',
    },
  )
}

function fingerprint(request: FastifyRequest): string {
  const text = `${request.method} ${request.url}\n${JSON.stringify(request.body) ?? ''}`
  return createHash('sha256').update(text).digest('base64url')
}

function ifMatchOf(endpoint: Endpoint, request: FastifyRequest): { ifMatch?: string } {
  const tag = request.headers['if-match']
  if (!endpoint.etag || tag === undefined) return {}
  const version = versionOf(tag)
  return version === undefined ? {} : { ifMatch: version }
}

const never = new AbortController().signal
const always = async () => true

function goneSignal(request: FastifyRequest, reply: FastifyReply, endpoint: Endpoint): AbortSignal {
  if (endpoint.media !== 'text/event-stream') return never
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  if (request.raw.destroyed) gone.abort()
  return gone.signal
}
