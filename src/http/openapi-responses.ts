import type { Endpoint, OtherAnswer } from '#platform/contract.ts'
import { problemKinds, type ProblemKind } from '#platform/problem.ts'
import { isSignedFor } from './access.ts'
import { isForKnown, takesKey } from './mount.ts'
import { statuses, titles } from './problems.ts'

type Hoist = (schema: unknown) => unknown

/** The success first, then whatever else is no problem, then every problem a caller has to expect. */
export function responsesOf(endpoint: Endpoint, hoist: Hoist): Record<string, unknown> {
  const { output, media = 'application/json' } = endpoint
  const status = String(endpoint.status ?? (output || endpoint.media ? 200 : 204))
  const content = output
    ? { [media]: { schema: hoist(output) } }
    : endpoint.media && !isRedirect(status)
      ? { [media]: {} }
      : undefined
  const headers = headersOf(endpoint, status)
  const success = {
    description: endpoint.summary,
    ...(headers && { headers }),
    ...(content && { content }),
  }
  const failures = endpoint.errors === 'oauth' ? oauthErrorsOf(endpoint) : problemsOf(endpoint)
  const others = Object.entries(endpoint.besides ?? {}).map(([status, other]) => [
    status,
    otherAnswer(status, other, hoist),
  ])
  return {
    [status]: success,
    ...failures,
    ...(Object.fromEntries(others) as Record<string, unknown>),
    default: response(endpoint.errors === 'oauth' ? 'OAuthError' : 'Problem'),
  }
}

/** Defined once in the document and referenced by operations. */
export function commonResponses(): Record<string, unknown> {
  return {
    ...Object.fromEntries(
      problemKinds.filter(isCommon).map(kind => [componentOf(kind), problemResponse(kind)]),
    ),
    Problem: {
      description: `Error: ${problemKinds.map(kind => `${statuses[kind]} ${kind}`).join(', ')}; 500 internal`,
      content: problemContent(),
    },
    OAuthError: {
      description: 'Error as defined in RFC 6749, section 5.2',
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
  }
}

function headersOf(endpoint: Endpoint, status: string) {
  const properties = (endpoint.output as { properties?: Record<string, unknown> } | undefined)?.properties
  const headers = {
    ...(isRedirect(status) && { Location: header('Redirect target') }),
    ...(status === '201' && endpoint.errors !== 'oauth' && { Location: header('URL of the record') }),
    ...(endpoint.etag && status !== '204' && { ETag: header('Version of the record, for If-Match') }),
    ...(properties?.next_cursor !== undefined && { Link: header('URL of the next page, as rel="next"') }),
  }
  return Object.keys(headers).length > 0 ? headers : undefined
}

function header(description: string, schema: object = { type: 'string' }) {
  return { description, schema }
}

/** Where a fault is told on a page, it may also be one that is found before the page is known. */
function otherAnswer(status: string, { description, schema, media }: OtherAnswer, hoist: Hoist) {
  if (isRedirect(status)) return { description, headers: { Location: header('Redirect target') } }
  const content = schema
    ? { 'application/json': { schema: hoist(schema) } }
    : { ...(media && { [media]: {} }), ...(status >= '400' && problemContent()) }
  return { description, content }
}

function isRedirect(status: string): boolean {
  return status.startsWith('3')
}

function problemsOf(endpoint: Endpoint): Record<string, unknown> {
  const kinds = problemKinds.filter(isCommon).filter(kind => expected[kind](endpoint))
  return Object.fromEntries(kinds.map(kind => [statuses[kind], response(componentOf(kind))]))
}

/** RFC 6749, section 5.2: a client that has to prove itself may get a 401, everything else is a 400. */
function oauthErrorsOf({ body }: Endpoint): Record<string, unknown> {
  const properties = (body as { properties?: Record<string, unknown> } | undefined)?.properties ?? {}
  const codes = ['400', ...('client_id' in properties ? ['401'] : []), '429']
  return Object.fromEntries(codes.map(code => [code, response('OAuthError')]))
}

type CommonKind = Exclude<ProblemKind, 'payment_required' | 'method_not_allowed' | 'unavailable'>

const expected: Record<CommonKind, (endpoint: Endpoint) => boolean> = {
  malformed: ({ unchecked, body }) => !unchecked || body !== undefined,
  unauthenticated: ({ auth }) => typeof auth === 'object',
  forbidden: ({ auth, method }) => isForKnown(auth) || (auth === 'public' && method !== 'GET'),
  not_found: ({ params }) => params !== undefined,
  conflict: takesKey,
  precondition_failed: ({ etag, method }) => Boolean(etag) && (method === 'PATCH' || method === 'DELETE'),
  too_large: readsBody,
  unsupported_media_type: readsBody,
  invalid: endpoint => takesKey(endpoint) || (!endpoint.unchecked && isValidated(endpoint)),
  too_many_requests: () => true,
}

function isCommon(kind: ProblemKind): kind is CommonKind {
  return kind in expected
}

function readsBody({ body, upload, form, auth }: Endpoint): boolean {
  return Boolean(body ?? upload ?? form) || isSignedFor(auth)
}

function isValidated({ body, query, upload, auth }: Endpoint): boolean {
  return !isSignedFor(auth) && Boolean(body ?? query ?? upload)
}

/** `too_many_requests` becomes `TooManyRequests`. */
function componentOf(kind: CommonKind): string {
  return kind.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function problemResponse(kind: CommonKind) {
  const headers = {
    ...(kind === 'unauthenticated' && { 'WWW-Authenticate': header('How to authenticate') }),
    ...(kind === 'too_many_requests' && {
      'Retry-After': header('Seconds to wait before retrying', { type: 'integer' }),
      RateLimit: header('Remaining quota and seconds until it resets (IETF draft 10)'),
      'RateLimit-Policy': header('Quota and its window in seconds (IETF draft 10)'),
    }),
  }
  return {
    description: titles[kind],
    ...(Object.keys(headers).length > 0 && { headers }),
    content: problemContent(),
  }
}

function problemContent() {
  return { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
}

function response(name: string) {
  return { $ref: `#/components/responses/${name}` }
}
