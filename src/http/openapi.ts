import type { Domain } from '#app'
import type { Endpoint, TSchema } from '#platform/contract.ts'
import { scopes } from '#platform/scopes.ts'
import manifest from '../../package.json' with { type: 'json' }
import { ANY_FILE } from './body.ts'
import { takesKey } from './mount.ts'
import { commonResponses, responsesOf } from './openapi-responses.ts'
import { describe } from './openapi-words.ts'

export type OpenApi = {
  openapi: '3.1.0'
  info: {
    title: string
    version: string
    description: string
    contact: { name: string }
    license: { name: string; identifier: string }
  }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
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
  description: string
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
      contact: { name: 'The operator of this installation' },
      license: { name: manifest.license, identifier: manifest.license },
    },
    servers: [{ url }],
    tags: domains.filter(isShown).map(({ name, about }) => ({ name, description: about ?? name })),
    paths,
    components: { schemas, responses: commonResponses(), securitySchemes },
  }
}

function isShown({ endpoints }: Domain): boolean {
  return Object.values(endpoints).some(({ hidden }) => !hidden)
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
    description: describe(endpoint),
    tags: [tag],
    security: security(endpoint),
    ...(role && { 'x-role': role }),
    ...protocolOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && { requestBody: requestBody(endpoint, endpoint.body, schemas) }),
    ...(endpoint.upload && { requestBody: fileBody(endpoint.upload) }),
    responses: responsesOf(endpoint, schema => hoist(schema, schemas)),
  }
}

function protocolOf({ protocol, unchecked, errors }: Endpoint) {
  const name = protocol ?? (unchecked || errors ? 'OAuth 2.0' : undefined)
  return name === undefined ? {} : { 'x-protocol': name }
}

function scopesOf({ scope, or }: { scope: string; or?: string }): string[] {
  return or ? [scope, or] : [scope]
}

function security({ auth }: Endpoint): Record<string, string[]>[] {
  if (auth === 'public' || auth === 'open') return []
  if ('scope' in auth) {
    // Only OAuth defines scopes for tools; the description says that a session and a key need the same one.
    return [{ session: [] }, { apiKey: [] }, ...scopesOf(auth).map(scope => ({ oauth: [scope] }))]
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
    ...(takesKey(endpoint)
      ? [header('Idempotency-Key', 'Runs the request only once per key within 24 hours')]
      : []),
    ...(endpoint.etag && changes
      ? [header('If-Match', 'The ETag the change is based on; returns 412 if the record has changed since')]
      : []),
    ...(endpoint.etag && endpoint.method === 'GET'
      ? [header('If-None-Match', 'The ETag you already have; returns 304 if the record has not changed')]
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

/** A type of its own that a file may have, or any. */
function fileBody(upload: NonNullable<Endpoint['upload']>) {
  const media = upload === ANY_FILE ? '*/*' : upload
  return { required: true, content: { [media]: { schema: { type: 'string', format: 'binary' } } } }
}

/** A schema with its own name is defined once in the document and referenced everywhere else. */
function hoist(schema: unknown, schemas: Schemas): unknown {
  if (Array.isArray(schema)) return schema.map(item => hoist(item, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, ...rest } = schema as { $id?: string }
  const plain = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [keyword(key, value), hoist(value, schemas)]),
  )
  if ($id === undefined) return plain
  schemas[$id] = plain
  return { $ref: `#/components/schemas/${$id}` }
}

/** What the builder makes its fields from is no word of JSON Schema. A property of that name has a schema, not a text. */
function keyword(key: string, value: unknown): string {
  return key === 'control' && typeof value === 'string' ? 'x-control' : key
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
      code: { type: 'string', description: 'Stable, machine-readable error code' },
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

const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'rapport_session',
    description: 'A user signed in to the web app',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: `An API key (rpk_…). Scopes: ${Object.keys(scopes).join(', ')}`,
  },
  oauth: {
    type: 'oauth2',
    description: "An app's OAuth access token, acting for the user who authorized it",
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
  cronSecret: { type: 'http', scheme: 'bearer', description: "The installation's CRON_SECRET" },
}
