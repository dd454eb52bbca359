import type { Context, Guard, Principal, Runtime } from '#platform/context.ts'
import { cookieName } from './cookie.ts'
import { findKeyPrincipal, hashOfKey, KEY_PREFIX } from './keys.ts'
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
    return { principal: known.principal, by: caller.by, guard: guardFor(ctx, caller, known.principal) }
  }
  const principal = await caller.find()
  memory.delete(caller.id)
  if (!principal) return undefined
  if (memory.size >= REMEMBERED_MAX) memory.clear()
  memory.set(caller.id, { principal, until: ctx.runtime.clock.now() + REMEMBERED_MS })
  return { principal, by: caller.by }
}

/** Raised by the guard: what this request was admitted on no longer holds. */
export function isGuardFailure(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === 'RP401'
}

export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization && /^bearer /i.test(authorization) ? authorization.slice(7).trim() : undefined
}

type Caller = {
  /** The hash of a key, or the id of a session. */
  id: string
  by: Authenticated['by']
  find(): Promise<Principal | undefined>
}

async function identify(ctx: Context, { authorization, cookie }: Credentials): Promise<Caller | undefined> {
  const bearer = bearerOf(authorization)
  if (bearer !== undefined) {
    if (!bearer.startsWith(KEY_PREFIX)) return undefined
    const id = hashOfKey(bearer)
    return { id, by: 'bearer', find: () => findKeyPrincipal(ctx, id) }
  }
  const token = cookieValue(cookie, cookieName(ctx.runtime.settings))
  const id = token ? await tokensOf(ctx.runtime.settings).open(token) : undefined
  return id ? { id, by: 'cookie', find: async () => (await findSession(ctx, id))?.principal } : undefined
}

function guardFor(ctx: Context, caller: Caller, { team_id, role }: Principal): Guard {
  const statement =
    caller.by === 'bearer'
      ? { text: KEY_GUARD, values: [caller.id, ctx.now()] }
      : { text: SESSION_GUARD, values: [caller.id, team_id, role, ctx.now()] }
  return { statement, passed: false }
}

const KEY_GUARD = `select exists (select from api_keys where hash = $1 and (expires_at is null or expires_at > $2))
  or refuse_caller()`

const SESSION_GUARD = `select exists (select from sessions join memberships using (user_id, team_id)
  where id = $1 and team_id = $2 and role = $3 and expires_at > $4) or refuse_caller()`

type Memory = Map<string, { principal: Principal; until: number }>
const memories = new WeakMap<Runtime, Memory>()

function memoryOf(runtime: Runtime): Memory {
  let memory = memories.get(runtime)
  if (!memory) memories.set(runtime, (memory = new Map()))
  return memory
}

function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
