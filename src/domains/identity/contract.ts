import {
  ById,
  defineEndpoints,
  Id,
  Instant,
  listOf,
  nullable,
  oneOf,
  paging,
  t,
  Text,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { allScopes, roles, type Scope } from '#platform/scopes.ts'

export const KEY_LIFE_DAYS_MAX = 3650

/** Exactly the session the specification names: camelCase, `user: null` when nobody is signed in. */
export const Session = t.Object({
  user: nullable(
    t.Object({
      id: Id,
      name: t.String(),
      email: t.String(),
      image: t.String(),
      role: oneOf(roles),
      teamId: Id,
      teamRole: oneOf(roles),
    }),
  ),
  expires: t.Optional(Instant),
})
export type Session = Static<typeof Session>

export const Team = t.Object({ id: Id, name: t.String(), created_at: Instant, updated_at: Instant })
export type Team = Static<typeof Team>

export const Member = t.Object({
  id: Id,
  name: t.String(),
  email: t.String(),
  image: t.String(),
  role: oneOf(roles),
  created_at: Instant,
})
export type Member = Static<typeof Member>

const ScopeName = t.Unsafe<Scope>(t.Enum([...allScopes] as [string, ...string[]]))

export const ApiKey = t.Object({
  id: Id,
  name: t.String(),
  /** The first characters, so that a person can tell keys apart. */
  prefix: t.String(),
  scopes: t.Array(ScopeName),
  created_by: nullable(Id),
  last_used_at: nullable(Instant),
  expires_at: nullable(Instant),
  created_at: Instant,
})
export type ApiKey = Static<typeof ApiKey>

export const endpoints = defineEndpoints({
  readSession: {
    method: 'GET',
    path: '/api/auth/session',
    summary: 'Who is signed in',
    auth: 'public',
    output: Session,
  },
  signOut: {
    method: 'POST',
    path: '/api/auth/signout',
    summary: 'End this session',
    auth: 'public',
  },
  showSigninLink: {
    method: 'GET',
    path: '/api/auth/link/:token',
    summary: 'The page behind a one-time sign-in link; a mail scanner that opens it uses nothing up',
    auth: 'public',
    params: t.Object({ token: t.String({ pattern: '^[A-Za-z0-9_-]{43}$' }) }),
    media: 'text/html',
    hidden: true,
  },
  redeemSigninLink: {
    method: 'POST',
    path: '/api/auth/link/:token',
    summary: 'Sign in with a one-time link',
    auth: 'public',
    params: t.Object({ token: t.String({ pattern: '^[A-Za-z0-9_-]{43}$' }) }),
    form: true,
    media: 'text/html',
    hidden: true,
  },
  readTeam: {
    method: 'GET',
    path: '/api/team',
    summary: 'The active team',
    auth: { role: 'VIEWER' },
    output: Team,
    etag: true,
  },
  listMembers: {
    method: 'GET',
    path: '/api/team/members',
    summary: 'The people of the team',
    auth: { role: 'VIEWER' },
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(Member),
  },
  listKeys: {
    method: 'GET',
    path: '/api/keys',
    summary: 'The API keys of the team',
    auth: { role: 'ADMIN' },
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(ApiKey),
  },
  createKey: {
    method: 'POST',
    path: '/api/keys',
    summary: 'Create an API key; the answer shows it this one time',
    auth: { role: 'ADMIN' },
    body: t.Object(
      {
        name: Text,
        scopes: t.Array(ScopeName, { minItems: 1, uniqueItems: true }),
        expires_in_days: t.Optional(t.Integer({ minimum: 1, maximum: KEY_LIFE_DAYS_MAX })),
      },
      { additionalProperties: false },
    ),
    output: t.Intersect([ApiKey, t.Object({ key: t.String({ description: 'rpk_…, shown once' }) })]),
    status: 201,
  },
  revokeKey: {
    method: 'DELETE',
    path: '/api/keys/:id',
    summary: 'Revoke an API key; its next request fails',
    auth: { role: 'ADMIN' },
    params: ById,
  },
})

export const keyCreated = defineEvent(
  'key.created',
  t.Object({ name: t.String(), scopes: t.Array(t.String()) }),
)
export const keyRevoked = defineEvent('key.revoked', t.Object({ name: t.String() }))
export const signedIn = defineEvent('session.started', t.Object({ method: t.String() }))
