import type { Domain } from '#app'
import type { Endpoint, TSchema } from '#platform/contract.ts'
import { scopes } from '#platform/scopes.ts'
import manifest from '../../package.json' with { type: 'json' }
import { takesKey } from './mount.ts'
import { statuses } from './problems.ts'

export type OpenApi = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Schemas
    responses: Record<string, unknown>
    securitySchemes: Record<string, unknown>
  }
}

export type Parameter = { name: string; in: string; required: boolean; schema: unknown; description?: string }

export type Operation = {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: unknown
  responses: Record<string, unknown>
  'x-role'?: string
  /** Follows the rules and errors of that protocol instead of this API's own conventions. */
  'x-protocol'?: string
}

/** Made from the contracts that validate, so that it cannot disagree with them. */
export function openApiDocument(domains: readonly Domain[], url: string): OpenApi {
  const schemas: Schemas = { ...ownSchemas }
  const paths: OpenApi['paths'] = {}
  for (const domain of domains) {
    for (const [name, endpoint] of Object.entries(domain.endpoints)) {
      if (endpoint.hidden) continue
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      paths[path] ??= {}
      paths[path][endpoint.method.toLowerCase()] = operation(domain.name, name, endpoint, schemas)
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rapport',
      version: manifest.version,
      description: 'Business communication and CRM with AI agents.',
      license: { name: manifest.license, identifier: manifest.license },
    },
    servers: [{ url }],
    tags: domains.map(domain => ({ name: domain.name })),
    paths,
    components: { ...components, schemas },
  }
}

function operation(tag: string, operationId: string, endpoint: Endpoint, schemas: Schemas): Operation {
  const parameters = [
    ...parametersOf(endpoint.params, 'path', schemas),
    ...parametersOf(endpoint.query, 'query', schemas),
    ...headersOf(endpoint),
  ]
  const role = typeof endpoint.auth === 'object' && 'role' in endpoint.auth ? endpoint.auth.role : undefined
  return {
    operationId,
    summary: endpoint.summary,
    tags: [tag],
    security: security(endpoint),
    ...(role && { 'x-role': role }),
    ...protocolOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && { requestBody: requestBody(endpoint, endpoint.body, schemas) }),
    ...(endpoint.upload && { requestBody: fileBody(endpoint.upload) }),
    responses: responses(endpoint, schemas),
  }
}

function protocolOf({ protocol, unchecked, errors }: Endpoint) {
  const name = protocol ?? (unchecked || errors ? 'OAuth 2.0' : undefined)
  return name === undefined ? {} : { 'x-protocol': name }
}

function security({ auth }: Endpoint): Record<string, string[]>[] {
  if (auth === 'public' || auth === 'open') return []
  if ('scope' in auth) {
    const byScope = (scope: string): Record<string, string[]>[] => [{ apiKey: [scope] }, { oauth: [scope] }]
    return [{ session: [] }, ...byScope(auth.scope), ...(auth.or ? byScope(auth.or) : [])]
  }
  if ('signature' in auth) return [{ webhookSignature: [] }]
  return 'role' in auth ? [{ session: [] }] : [{ cronSecret: [] }]
}

type ObjectSchema = { properties: Record<string, { description?: string }>; required?: string[] }

function parametersOf(schema: TSchema | undefined, place: string, schemas: Schemas): Parameter[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Partial<ObjectSchema>
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: hoist(property, schemas),
    ...(property.description && { description: property.description }),
  }))
}

function headersOf(endpoint: Endpoint): Parameter[] {
  const changes = endpoint.method === 'PATCH' || endpoint.method === 'DELETE'
  return [
    ...(takesKey(endpoint) ? [header('Idempotency-Key', 'Does the work once per key, for 24 hours')] : []),
    ...(endpoint.etag && changes
      ? [header('If-Match', 'The ETag the change is based on; another one meanwhile answers 412')]
      : []),
    ...(endpoint.etag && endpoint.method === 'GET'
      ? [header('If-None-Match', 'The ETag that is known already; the same one still answers 304')]
      : []),
  ]
}

function header(name: string, description: string): Parameter {
  return { name, in: 'header', required: false, schema: { type: 'string' }, description }
}

function requestBody({ form }: Endpoint, body: TSchema, schemas: Schemas) {
  const json = form === true ? [] : ['application/json']
  const medias = form ? [...json, 'application/x-www-form-urlencoded'] : json
  const content = Object.fromEntries(medias.map(media => [media, { schema: hoist(body, schemas) }]))
  return { required: true, content }
}

function fileBody(media: string) {
  return { required: true, content: { [media]: { schema: { type: 'string', format: 'binary' } } } }
}

function responses(endpoint: Endpoint, schemas: Schemas): Record<string, unknown> {
  const { output, media = 'application/json' } = endpoint
  const status = String(endpoint.status ?? (output || endpoint.media ? 200 : 204))
  const content = output
    ? { [media]: { schema: hoist(output, schemas) } }
    : endpoint.media
      ? { [media]: {} }
      : undefined
  const success = { description: endpoint.summary, ...(content && { content }) }
  const failure = endpoint.errors === 'oauth' ? 'OAuthError' : 'Problem'
  const besides = Object.entries(endpoint.besides ?? {}).map(([status, { description, schema }]) => [
    status,
    { description, content: { 'application/json': { schema: hoist(schema, schemas) } } },
  ])
  const others = Object.fromEntries(besides) as Record<string, unknown>
  return { [status]: success, ...others, default: { $ref: `#/components/responses/${failure}` } }
}

/** A schema with a name of its own stands once in the document, and everywhere else by reference. */
function hoist(schema: unknown, schemas: Schemas): unknown {
  if (Array.isArray(schema)) return schema.map(item => hoist(item, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, ...rest } = schema as { $id?: string }
  const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, hoist(value, schemas)]))
  if ($id === undefined) return plain
  schemas[$id] = plain
  return { $ref: `#/components/schemas/${$id}` }
}

type Schemas = Record<string, unknown>

const ownSchemas: Schemas = {
  Problem: {
    type: 'object',
    required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
    properties: {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      code: { type: 'string', description: 'A stable word for programs' },
      request_id: { type: 'string' },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['path', 'message'],
          properties: { path: { type: 'string' }, message: { type: 'string' } },
        },
      },
    },
  },
}

const components = {
  securitySchemes: {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'rapport_session',
      description: 'A person signed in by the web app',
    },
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      description: `An API key (rpk_…). Scopes: ${Object.keys(scopes).join(', ')}`,
    },
    oauth: {
      type: 'oauth2',
      description: 'An access token of an app, in the name of the person who allowed it',
      flows: {
        authorizationCode: {
          authorizationUrl: '/api/oauth/authorize',
          tokenUrl: '/api/oauth/token',
          refreshUrl: '/api/oauth/token',
          scopes,
        },
      },
    },
    webhookSignature: {
      type: 'apiKey',
      in: 'header',
      name: 'webhook-signature',
      description: 'Standard Webhooks: webhook-id, webhook-timestamp and webhook-signature, or svix-…',
    },
    cronSecret: { type: 'http', scheme: 'bearer', description: 'The CRON_SECRET of the installation' },
  },
  responses: {
    OAuthError: {
      description: 'What went wrong, as RFC 6749 says it',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['error'],
            properties: { error: { type: 'string' }, error_description: { type: 'string' } },
          },
        },
      },
    },
    Problem: {
      description: `What went wrong: ${Object.entries(statuses)
        .map(([kind, status]) => `${status} ${kind}`)
        .join(', ')}`,
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  },
}
