import { hashOf, type Found } from '#platform/bearer.ts'
import type { Context, Guard, Principal, Runtime } from '#platform/context.ts'
import { cookieName, cookieValue } from './cookie.ts'
import { findSession } from './sessions.ts'
import { tokensOf } from './tokens.ts'

/** How long a process trusts its memory of a caller, given that the database confirms it at every request. */
const REMEMBERED_MS = 60_000
const REMEMBERED_MAX = 10_000

export type Credentials = { authorization: string | undefined; cookie: string | undefined }

/** `by` tells a browser's cookie, which other sites can make a browser send, from a bearer, which they cannot. */
export type Authenticated = {
  principal: Principal
  by: 'cookie' | 'bearer'
  /** Must pass before anything is done for this caller; absent when the database has just been asked. */
  guard?: Guard
}

/**
 * Who is asking: a bearer wins over a cookie; a bearer that is not valid is nobody, whatever the cookie says. A caller
 * seen within the last minute is taken from memory with a guard that the request's first statement carries along:
 * revoking works at the next request, and authenticating costs no round trip. `fresh` asks the database instead.
 */
export async function authenticate(
  ctx: Context,
  credentials: Credentials,
  { fresh = false } = {},
): Promise<Authenticated | undefined> {
  const caller = await identify(ctx, credentials)
  if (!caller) return undefined
  const memory = memoryOf(ctx.runtime)
  const known = fresh ? undefined : memory.get(caller.id)
  if (known && known.until > ctx.runtime.clock.now()) {
    const { principal, guard } = known.found
    return { principal, by: caller.by, guard: { statement: guard(ctx.now()), passed: false } }
  }
  const found = await caller.find()
  memory.delete(caller.id)
  if (!found) return undefined
  if (memory.size >= REMEMBERED_MAX) memory.clear()
  memory.set(caller.id, { found, until: ctx.runtime.clock.now() + REMEMBERED_MS })
  return { principal: found.principal, by: caller.by }
}

/** Raised by the guard: what this request was admitted on no longer holds. */
export function isGuardFailure(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === 'RP401'
}

export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization && /^bearer /i.test(authorization) ? authorization.slice(7).trim() : undefined
}

type Caller = {
  /** The hash of a bearer, or the id of a session. */
  id: string
  by: Authenticated['by']
  find(): Promise<Found | undefined>
}

async function identify(ctx: Context, { authorization, cookie }: Credentials): Promise<Caller | undefined> {
  const bearer = bearerOf(authorization)
  if (bearer !== undefined) {
    const kind = ctx.runtime.registry.bearers.find(({ prefix }) => bearer.startsWith(prefix))
    if (!kind) return undefined
    const id = hashOf(bearer)
    return { id, by: 'bearer', find: () => kind.find(ctx, id) }
  }
  const token = cookieValue(cookie, cookieName(ctx.runtime.settings))
  const id = token ? await tokensOf(ctx.runtime.settings).open(token) : undefined
  return id ? { id, by: 'cookie', find: () => findSession(ctx, id) } : undefined
}

type Memory = Map<string, { found: Found; until: number }>
const memories = new WeakMap<Runtime, Memory>()

function memoryOf(runtime: Runtime): Memory {
  let memory = memories.get(runtime)
  if (!memory) memories.set(runtime, (memory = new Map()))
  return memory
}
