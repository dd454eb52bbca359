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
import { clientSources, grantOwners, REDIRECT_URIS_MAX, REDIRECT_URI_LENGTH_MAX } from './values.ts'

const ScopeName = t.Unsafe<Scope>(t.Enum([...allScopes] as [string, ...string[]]))
const Scopes = t.Array(ScopeName, { minItems: 1, maxItems: allScopes.length, uniqueItems: true })
const RedirectUris = t.Array(
  t.String({
    minLength: 1,
    maxLength: REDIRECT_URI_LENGTH_MAX,
    pattern: '^[^\\s\\u0000-\\u001f]+$',
    description: "An https URL, http on this machine, or an app's own scheme; must match exactly",
  }),
  { minItems: 1, maxItems: REDIRECT_URIS_MAX, uniqueItems: true },
)

export const Client = t.Object({
  /** The client_id. */
  id: Id,
  name: t.String(),
  redirect_uris: t.Array(t.String()),
  scopes: t.Array(ScopeName),
  /** Whether it holds a secret; a public client proves itself by PKCE alone. */
  confidential: t.Boolean(),
  source: oneOf(clientSources),
  created_by: nullable(Id),
  created_at: Instant,
  updated_at: Instant,
})
export type Client = Static<typeof Client>

const WithSecret = t.Object({
  client_secret: nullable(t.String({ description: 'rps_…, shown once; null for a public client' })),
})
export const NewClient = t.Intersect([Client, WithSecret])
export type NewClient = Static<typeof NewClient>

/** What a person allowed an app to do in a team. */
export const Grant = t.Object({
  id: Id,
  client: t.Object({ id: t.String(), name: t.String(), source: oneOf(clientSources) }),
  user: t.Object({ id: Id, name: t.String(), email: t.String() }),
  scopes: t.Array(ScopeName),
  last_used_at: nullable(Instant),
  created_at: Instant,
  updated_at: Instant,
})
export type Grant = Static<typeof Grant>

export const TokenAnswer = t.Object({
  access_token: t.String(),
  refresh_token: t.String(),
  token_type: oneOf(['Bearer']),
  expires_in: t.Integer(),
  scope: t.String(),
  user_id: Id,
})
export type TokenAnswer = Static<typeof TokenAnswer>

const ClientProof = {
  client_id: t.Optional(t.String({ description: 'Unless sent by HTTP Basic' })),
  client_secret: t.Optional(t.String({ description: 'Of a confidential client, unless sent by HTTP Basic' })),
}

export const endpoints = defineEndpoints({
  authorize: {
    method: 'GET',
    path: '/api/oauth/authorize',
    summary: 'Ask a person for consent; the browser is redirected to redirect_uri with code, state and iss',
    auth: 'public',
    query: t.Object({
      response_type: oneOf(['code']),
      client_id: t.String(),
      redirect_uri: t.String(),
      scope: t.String({ description: 'Space-separated scopes' }),
      state: t.String(),
      code_challenge: t.String({ description: 'base64url of the SHA-256 digest of the code verifier' }),
      code_challenge_method: oneOf(['S256']),
      resource: t.Optional(t.String({ description: 'Where the token will be used (RFC 8707)' })),
      prompt: t.Optional(oneOf(['none', 'consent'])),
    }),
    unchecked: true,
    media: 'text/html',
    besides: {
      302: {
        description:
          'To redirect_uri, with code, state and iss, or with error, state and iss; or to the sign-in page',
      },
      400: {
        description: 'A page: the client or its redirect_uri is not valid, and nothing is redirected',
        media: 'text/html',
      },
    },
  },
  decide: {
    method: 'POST',
    path: '/api/oauth/consent',
    summary: 'Submit the consent page',
    auth: 'public',
    form: true,
    body: t.Object({
      pending: t.String({ description: 'The sealed consent request of this session' }),
      decision: oneOf(['allow', 'deny', 'switch']),
      team: t.Optional(t.String()),
    }),
    unchecked: true,
    media: 'text/html',
    besides: {
      302: { description: 'To redirect_uri, with code, state and iss, or with error, state and iss' },
      400: {
        description: 'A page: the request has expired, and nothing is redirected',
        media: 'text/html',
      },
      422: { description: 'The consent page again, with an error', media: 'text/html' },
    },
  },
  token: {
    method: 'POST',
    path: '/api/oauth/token',
    summary: 'Exchange a code or a refresh token for tokens',
    auth: 'open',
    form: 'or_json',
    errors: 'oauth',
    unchecked: true,
    body: t.Object({
      grant_type: oneOf(['authorization_code', 'refresh_token']),
      ...ClientProof,
      code: t.Optional(t.String()),
      redirect_uri: t.Optional(t.String()),
      code_verifier: t.Optional(t.String({ minLength: 43, maxLength: 128 })),
      refresh_token: t.Optional(t.String()),
      scope: t.Optional(t.String()),
      resource: t.Optional(t.String()),
    }),
    output: TokenAnswer,
  },
  revoke: {
    method: 'POST',
    path: '/api/oauth/revoke',
    summary: 'Revoke a token (RFC 7009); revoking a refresh token also revokes its access tokens',
    auth: 'open',
    form: 'or_json',
    errors: 'oauth',
    unchecked: true,
    body: t.Object({
      token: t.String(),
      token_type_hint: t.Optional(oneOf(['access_token', 'refresh_token'])),
      ...ClientProof,
    }),
    output: t.Object({}),
  },
  introspect: {
    method: 'POST',
    path: '/api/oauth/introspect',
    summary: 'Introspect a token of this confidential client (RFC 7662)',
    auth: 'open',
    form: 'or_json',
    errors: 'oauth',
    unchecked: true,
    body: t.Object({ token: t.String(), token_type_hint: t.Optional(t.String()), ...ClientProof }),
    output: t.Object({
      active: t.Boolean(),
      scope: t.Optional(t.String()),
      client_id: t.Optional(t.String()),
      username: t.Optional(t.String()),
      token_type: t.Optional(t.String()),
      exp: t.Optional(t.Integer()),
      iat: t.Optional(t.Integer()),
      sub: t.Optional(t.String()),
      aud: t.Optional(t.String()),
      iss: t.Optional(t.String()),
    }),
  },
  register: {
    method: 'POST',
    path: '/api/oauth/register',
    summary: 'Register an app dynamically (RFC 7591), if enabled by the operator',
    auth: 'open',
    errors: 'oauth',
    unchecked: true,
    body: t.Object({
      redirect_uris: RedirectUris,
      client_name: t.Optional(t.String()),
      token_endpoint_auth_method: t.Optional(oneOf(['none', 'client_secret_basic', 'client_secret_post'])),
      grant_types: t.Optional(t.Array(t.String())),
      response_types: t.Optional(t.Array(t.String())),
      scope: t.Optional(t.String()),
    }),
    output: t.Object({
      client_id: t.String(),
      client_id_issued_at: t.Integer(),
      client_secret: t.Optional(t.String()),
      client_secret_expires_at: t.Optional(t.Integer()),
      client_name: t.String(),
      redirect_uris: t.Array(t.String()),
      token_endpoint_auth_method: t.String(),
      grant_types: t.Array(t.String()),
      response_types: t.Array(t.String()),
      scope: t.String(),
    }),
    status: 201,
  },
  readServerMetadata: {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Authorization server metadata (RFC 8414)',
    auth: 'open',
    errors: 'oauth',
    output: t.Record(t.String(), t.Unknown()),
  },
  readResourceMetadata: {
    method: 'GET',
    path: '/.well-known/oauth-protected-resource',
    summary: 'Protected resource metadata (RFC 9728)',
    auth: 'open',
    errors: 'oauth',
    output: t.Record(t.String(), t.Unknown()),
  },
  listClients: {
    method: 'GET',
    path: '/api/oauth/clients',
    summary: "List the team's OAuth apps",
    auth: { role: 'ADMIN' },
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(Client),
  },
  createClient: {
    method: 'POST',
    path: '/api/oauth/clients',
    summary: 'Create an OAuth app; its secret is shown only in this response',
    auth: { role: 'ADMIN' },
    body: t.Object(
      {
        name: Text,
        redirect_uris: RedirectUris,
        scopes: t.Optional(Scopes),
        confidential: t.Optional(t.Boolean()),
      },
      { additionalProperties: false },
    ),
    output: NewClient,
    status: 201,
    etag: true,
  },
  readClient: {
    method: 'GET',
    path: '/api/oauth/clients/:id',
    summary: 'Read an OAuth app',
    auth: { role: 'ADMIN' },
    params: ById,
    output: Client,
    etag: true,
  },
  changeClient: {
    method: 'PATCH',
    path: '/api/oauth/clients/:id',
    summary: 'Update an OAuth app; scopes it may no longer request are revoked immediately',
    auth: { role: 'ADMIN' },
    params: ById,
    body: t.Object(
      { name: t.Optional(Text), redirect_uris: t.Optional(RedirectUris), scopes: t.Optional(Scopes) },
      { additionalProperties: false, minProperties: 1 },
    ),
    output: Client,
    etag: true,
  },
  deleteClient: {
    method: 'DELETE',
    path: '/api/oauth/clients/:id',
    summary: 'Delete an OAuth app and every token it holds',
    auth: { role: 'ADMIN' },
    params: ById,
    etag: true,
  },
  rotateSecret: {
    method: 'POST',
    path: '/api/oauth/clients/:id/secret',
    summary:
      'Rotate the secret of a confidential app; it is shown only in this response and the old one stops working',
    auth: { role: 'ADMIN' },
    params: ById,
    output: NewClient,
    etag: true,
  },
  listGrants: {
    method: 'GET',
    path: '/api/oauth/grants',
    summary: 'List apps you connected to the team, or all connected apps as an admin',
    auth: { role: 'VIEWER' },
    query: t.Object({ ...paging, of: t.Optional(oneOf(grantOwners)) }, { additionalProperties: false }),
    output: listOf(Grant),
  },
  revokeGrant: {
    method: 'DELETE',
    path: '/api/oauth/grants/:id',
    summary: 'Disconnect an app; all its tokens for that user and team are revoked immediately',
    auth: { role: 'VIEWER' },
    params: ById,
  },
})

const Described = t.Object({
  name: t.String(),
  redirect_uris: t.Array(t.String()),
  scopes: t.Array(t.String()),
  confidential: t.Boolean(),
})

/** These can take access away, so open streams check again. */
const access = { live: 'access', bare: true } as const

export const clientCreated = defineEvent('app.created', Described)
export const clientChanged = defineEvent('app.changed', t.Object({ before: Described, after: Described }))
export const clientDeleted = defineEvent('app.deleted', Described, access)
export const clientSecretRotated = defineEvent('app.secret_rotated', t.Object({ name: t.String() }))
export const appConnected = defineEvent(
  'app.connected',
  t.Object({ client_id: t.String(), name: t.String(), scopes: t.Array(t.String()) }),
)
export const appDisconnected = defineEvent(
  'app.disconnected',
  t.Object({ client_id: t.String(), name: t.String(), scopes: t.Array(t.String()), reason: t.String() }),
  access,
)
