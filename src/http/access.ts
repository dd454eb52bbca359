import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Context, systemActor, systemContext, type Runtime } from '#platform/context.ts'
import type { Auth, Endpoint } from '#platform/contract.ts'
import { networkOf } from '#platform/network.ts'
import { Problem } from '#platform/problem.ts'
import { atLeast } from '#platform/scopes.ts'
import { isSigned, isTimely, signatureHeaders } from '#platform/signature.ts'
import { authenticate, bearerOf, type Authenticated } from '#domains/identity/authenticate.ts'
import {
  perAddress,
  perAddressRefused,
  perCrowd,
  perPerson,
  perTeam,
  type RateLimiter,
} from './rate-limit.ts'

export type Admission = {
  ctx: Context
  headers: Record<string, string>
  /** Asks the database; absent where nobody in particular was let in. */
  stillHolds?: () => Promise<boolean>
}

const HOUR_S = 3_600
type Admitting = { fresh?: boolean; crowd?: boolean; hourly?: Endpoint['hourly'] }

/** Who asks, whether they may, and how often: all of it before anything is read or written. */
export async function admit(
  runtime: Runtime,
  limiter: RateLimiter,
  auth: Auth,
  request: FastifyRequest,
  { fresh = false, crowd = false, hourly }: Admitting = {},
): Promise<Admission> {
  const about = { id: request.id, ip: request.ip, user_agent: request.headers['user-agent'] ?? null }
  const limit = runtime.settings.rateLimit ? limiter.take : () => ({})
  const refused = async () => {
    await limit(perAddressRefused, networkOf(request.ip))
    return unauthenticated(runtime, request)
  }
  if (typeof auth === 'object' && 'cron' in auth) {
    if (!holdsSecret(request, runtime.settings.cronSecret)) throw await refused()
    return { ctx: new Context(runtime, { actor: systemActor, request: about }), headers: {} }
  }
  if (isSignedFor(auth)) {
    const signed = signatureHeaders(request.headers)
    if (!signed || !isTimely(signed, runtime.clock.now())) throw await refusedSignature(limit, request)
    return { ctx: new Context(runtime, { actor: systemActor, request: about }), headers: {} }
  }
  const isPublic = auth === 'public' || auth === 'open'
  const policy = crowd ? perCrowd : perAddress
  const headers: Record<string, string> = {}
  if (isPublic) Object.assign(headers, await limit(policy, networkOf(request.ip)))
  if (hourly) Object.assign(headers, await limit({ ...hourly, windowS: HOUR_S }, networkOf(request.ip)))
  if (auth === 'open') {
    return { ctx: new Context(runtime, { actor: systemActor, request: about }), headers }
  }
  const { authorization, cookie } = request.headers
  const known = await authenticate(systemContext(runtime), { authorization, cookie }, { fresh })
  if (auth === 'public') {
    if (known?.by !== 'bearer') refuseForeignOrigin(runtime, request)
    return { ctx: contextOf(runtime, known, about), headers }
  }
  if (!known || !isMeantFor(runtime, request, known)) throw await refused()
  if (known.by === 'cookie') refuseForeignOrigin(runtime, request)
  const { user_id, team_id } = known.principal
  const mine = known.by === 'cookie' ? limit(perPerson, user_id!) : limit(perTeam, team_id)
  Object.assign(headers, await mine)
  try {
    authorize(auth, known)
  } catch (error) {
    // From memory: the role may have been raised since.
    if (known.guard) return admit(runtime, limiter, auth, request, { fresh: true })
    throw error
  }
  const stillHolds = async () =>
    isSame(known, await authenticate(systemContext(runtime), { authorization, cookie }, { fresh: true }))
  return { ctx: contextOf(runtime, known, about), headers, stillHolds }
}

function isSame({ principal: before }: Authenticated, now: Authenticated | undefined): boolean {
  if (!now || now.principal.team_id !== before.team_id || now.principal.role !== before.role) return false
  return now.principal.scopes.symmetricDifference(before.scopes).size === 0
}

type SignedAuth = Extract<Auth, { signature: unknown }>

export function isSignedFor(auth: Auth): auth is SignedAuth {
  return typeof auth === 'object' && 'signature' in auth
}

/** Once the body has been read: it must be what the provider signed, byte by byte. */
export async function checkSignature(
  { settings }: Runtime,
  limiter: RateLimiter,
  { signature }: SignedAuth,
  request: FastifyRequest,
): Promise<void> {
  const signed = signatureHeaders(request.headers)!
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  if (isSigned(settings.webhookKeys[signature], signed, body)) return
  throw await refusedSignature(settings.rateLimit ? limiter.take : () => ({}), request)
}

async function refusedSignature(
  limit: RateLimiter['take'] | (() => object),
  request: FastifyRequest,
): Promise<Problem> {
  await limit(perAddressRefused, networkOf(request.ip))
  return new Problem('unauthenticated', 'The signature is missing, expired or invalid.', {
    code: 'invalid_signature',
    headers: { 'www-authenticate': 'StandardWebhooks' },
  })
}

/** In constant time, whatever the lengths. */
export function holdsSecret(request: FastifyRequest, secret: string): boolean {
  const given = bearerOf(request.headers.authorization) ?? ''
  return timingSafeEqual(digest(given), digest(secret))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** A token for one part of us (RFC 8707) is worth nothing in another. */
function isMeantFor({ settings }: Runtime, request: FastifyRequest, { principal }: Authenticated): boolean {
  if (!principal.audience) return true
  const address = settings.baseUrl + request.url.split('?')[0]!
  const audience = principal.audience.replace(/\/$/, '')
  return address === audience || address.startsWith(`${audience}/`)
}

function unauthenticated({ settings }: Runtime, request: FastifyRequest): Problem {
  const bad = request.headers.authorization !== undefined
  const metadata = `resource_metadata="${settings.baseUrl}/.well-known/oauth-protected-resource"`
  const words = bad ? 'The token or API key is invalid or expired.' : 'Sign in or send an API key.'
  return new Problem('unauthenticated', words, {
    code: bad ? 'invalid_token' : 'unauthenticated',
    headers: { 'www-authenticate': bad ? `Bearer error="invalid_token", ${metadata}` : `Bearer ${metadata}` },
  })
}

/** The browser sends a cookie for any site's request: unsafe requests must come from our own pages. */
function refuseForeignOrigin(runtime: Runtime, request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { origin, host, 'sec-fetch-site': site, cookie } = request.headers
  if (site === 'same-origin') return
  if (origin && (origin === runtime.settings.baseUrl || hostOf(origin) === host)) return
  // Without any sign of a browser and without a cookie there is nobody to be tricked.
  if (!origin && !site && !cookie) return
  throw new Problem('forbidden', 'Cross-site requests are not allowed.', { code: 'cross_origin' })
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

function authorize(
  auth: Exclude<Auth, 'public' | 'open' | { cron: true } | SignedAuth>,
  { principal }: Authenticated,
): void {
  if ('scope' in auth) {
    if (principal.scopes.has(auth.scope) || (auth.or && principal.scopes.has(auth.or))) return
    throw new Problem('forbidden', `This requires the scope ${auth.scope}.`, {
      code: 'insufficient_scope',
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${auth.scope}"` },
    })
  }
  if (!principal.role) {
    throw new Problem('forbidden', 'Only a signed-in user can do this, not an API key or app.', {
      code: 'person_required',
    })
  }
  if (atLeast(principal.role, auth.role)) return
  throw new Problem('forbidden', `This requires the role ${auth.role}.`, { code: 'role_too_low' })
}

function contextOf(runtime: Runtime, known: Authenticated | undefined, request: Context['request']): Context {
  if (!known) return new Context(runtime, { actor: systemActor, ...(request && { request }) })
  const { principal, guard } = known
  return new Context(runtime, {
    actor: principal.actor,
    team: principal.team_id,
    principal,
    ...(request && { request }),
    ...(guard && { guard }),
  })
}
