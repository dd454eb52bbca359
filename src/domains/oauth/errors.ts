import { ProtocolProblem } from '#platform/problem.ts'

/** The words of RFC 6749 and its relatives. Each is a Problem: an endpoint with `errors: 'oauth'` tells it in OAuth's form. */
export function oauthError(
  code:
    | 'invalid_request'
    | 'invalid_grant'
    | 'unsupported_grant_type'
    | 'unauthorized_client'
    | 'invalid_scope'
    | 'invalid_target'
    | 'invalid_redirect_uri'
    | 'invalid_client_metadata',
  message: string,
): ProtocolProblem {
  return new ProtocolProblem('malformed', message, { code })
}

/** 401 with how to authenticate: a client that tried HTTP Basic must be told so. */
export function invalidClient(message: string): ProtocolProblem {
  return new ProtocolProblem('unauthenticated', message, {
    code: 'invalid_client',
    headers: { 'www-authenticate': 'Basic realm="Rapport OAuth", charset="UTF-8"' },
  })
}
