import { newId } from '#platform/ids.ts'
import { Problem, ProtocolProblem, type ProblemKind } from '#platform/problem.ts'

export const statuses: Record<ProblemKind, number> = {
  malformed: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  too_many_requests: 429,
  unavailable: 503,
}

export const titles: Record<ProblemKind, string> = {
  malformed: 'Bad request',
  unauthenticated: 'Authentication required',
  payment_required: 'Payment required',
  forbidden: 'Forbidden',
  not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  conflict: 'Conflict',
  precondition_failed: 'Precondition failed',
  too_large: 'Payload too large',
  unsupported_media_type: 'Unsupported media type',
  invalid: 'Validation failed',
  too_many_requests: 'Too many requests',
  unavailable: 'Service unavailable',
}

export type ProblemAnswer = { status: number; headers: Record<string, string>; body: string }

/** application/problem+json (RFC 9457). What is not a Problem is our fault: it tells its request id and nothing else. */
export function problemAnswer(error: unknown, request_id: string): ProblemAnswer {
  const problem = asProblem(error)
  if (!problem) return { status: 500, headers, body: JSON.stringify({ ...ourFault, request_id }) }
  const status = statuses[problem.kind]
  const body = {
    type: `/docs#problem-${problem.kind}`,
    title: titles[problem.kind],
    status,
    detail: problem.message,
    code: problem.code,
    request_id,
    ...(problem.errors && { errors: problem.errors }),
  }
  return { status, headers: { ...headers, ...problem.headers }, body: JSON.stringify(body) }
}

/** The errors of RFC 6749, section 5.2, for the endpoints that OAuth clients call. */
export function oauthAnswer(error: unknown, request_id: string): ProblemAnswer {
  const problem = asProblem(error)
  // OAuth knows no 422 (RFC 6749, section 5.2).
  const status = problem ? (problem.kind === 'invalid' ? statuses.malformed : statuses[problem.kind]) : 500
  const word = problem ? oauthWord(problem) : 'server_error'
  const error_description = problem
    ? problem.message
    : `Something went wrong on our side. Request ID: ${request_id}`
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...problem?.headers,
    },
    body: JSON.stringify({ error: word, error_description }),
  }
}

/** A request that is no HTTP, or takes too long to arrive, is answered on the bare connection. */
export function brokenRequestAnswer(errorCode: string | undefined): string {
  const { status, code, title } = brokenRequests[errorCode ?? ''] ?? noHttp
  const request_id = newId()
  const body = JSON.stringify({ type: 'about:blank', title, status, detail: `${title}.`, code, request_id })
  return [
    `HTTP/1.1 ${status} ${title}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n')
}

const headers = { 'content-type': 'application/problem+json; charset=utf-8', 'cache-control': 'no-store' }

function oauthWord(problem: Problem): string {
  if (problem instanceof ProtocolProblem) return problem.code
  return oauthWords[problem.kind] ?? 'invalid_request'
}

const oauthWords: Partial<Record<ProblemKind, string>> = {
  unauthenticated: 'invalid_client',
  forbidden: 'access_denied',
  too_many_requests: 'slow_down',
  unavailable: 'temporarily_unavailable',
}

const ourFault = {
  type: 'about:blank',
  title: 'Internal server error',
  status: 500,
  detail: 'Something went wrong on our side. It was logged under this request ID.',
  code: 'internal',
}

const noHttp = { status: 400, code: 'malformed', title: 'Bad request' }
const brokenRequests: Record<string, typeof noHttp> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request_timeout',
    title: 'Request timeout',
  },
  HPE_HEADER_OVERFLOW: { status: 431, code: 'headers_too_large', title: 'Request headers too large' },
}

/** The errors of the server framework that are the caller's doing. */
function asProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('too_large', 'The request body is too large.', {
        code: 'body_too_large',
      })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('unsupported_media_type', 'Send application/json.')
    case 'FST_ERR_BAD_URL':
      return malformedUrl()
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return nothingHere()
  }
  // A caller that goes away in the middle of its body, a length that does not hold: not worth a line in the log.
  if (statusCode && statusCode >= 400 && statusCode < 500)
    return new Problem('malformed', 'The request cannot be read.')
  return undefined
}

export function malformedUrl(): Problem {
  return new Problem('malformed', 'The URL cannot be decoded.', { code: 'malformed_url' })
}

export function nothingHere(): Problem {
  return new Problem('not_found', 'There is nothing at this URL.')
}
