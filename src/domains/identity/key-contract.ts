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
import { allScopes, type Scope } from '#platform/scopes.ts'
import { KEY_LIFE_DAYS, KEY_LIFE_DAYS_MAX, SERVICE_NAME_LENGTH_MAX } from './values.ts'

const ScopeName = t.Unsafe<Scope>(t.Enum([...allScopes] as [string, ...string[]]))

export const ApiKey = t.Object({
  id: Id,
  name: t.String(),
  /** The first characters, so that a person can tell keys apart. */
  prefix: t.String(),
  scopes: t.Array(ScopeName),
  owner: t.Object(
    { kind: oneOf(['person', 'service']), id: Id, name: t.String() },
    {
      description:
        "A personal key has at most its owner's permissions and ends with their membership; a service key works until it is revoked or expires",
    },
  ),
  created_by: nullable(Id),
  last_used_at: nullable(Instant),
  expires_at: nullable(Instant),
  created_at: Instant,
})
export type ApiKey = Static<typeof ApiKey>

export const keyEndpoints = defineEndpoints({
  listKeys: {
    method: 'GET',
    path: '/api/keys',
    summary: "List the team's API keys",
    auth: { role: 'ADMIN' },
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(ApiKey),
  },
  createKey: {
    method: 'POST',
    path: '/api/keys',
    summary: 'Create an API key; it is shown only in this response',
    auth: { role: 'ADMIN' },
    body: t.Object(
      {
        name: Text,
        scopes: t.Array(ScopeName, { minItems: 1, maxItems: allScopes.length, uniqueItems: true }),
        service: t.Optional(
          nullable(
            t.String({
              minLength: 1,
              maxLength: SERVICE_NAME_LENGTH_MAX,
              pattern: '\\S',
              description: 'Name of the service it belongs to; a personal key if absent',
            }),
          ),
        ),
        expires_in_days: t.Optional(
          nullable(
            t.Integer({
              minimum: 1,
              maximum: KEY_LIFE_DAYS_MAX,
              description: `${KEY_LIFE_DAYS} by default; null: never expires`,
            }),
          ),
        ),
      },
      { additionalProperties: false },
    ),
    output: t.Intersect([ApiKey, t.Object({ key: t.String({ description: 'rpk_…, shown once' }) })]),
    status: 201,
  },
  readKey: {
    method: 'GET',
    path: '/api/keys/:id',
    summary: 'Read an API key, without its secret',
    auth: { role: 'ADMIN' },
    params: ById,
    output: ApiKey,
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
export const keyRevoked = defineEvent('key.revoked', t.Object({ name: t.String() }), {
  live: 'access',
  bare: true,
})
export const keyRefused = defineEvent('key.refused', t.Object({ name: t.String(), reason: t.String() }))
