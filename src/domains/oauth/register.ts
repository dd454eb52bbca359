import type { Context } from '#platform/context.ts'
import { ProtocolProblem } from '#platform/problem.ts'
import { allScopes } from '#platform/scopes.ts'
import { knownScopes, nameFrom } from './client-document.ts'
import { newClient } from './clients.ts'
import { oauthError } from './errors.ts'
import { faultOfRedirectUri } from './redirect-uri.ts'
import * as store from './store.ts'
import { REDIRECT_URIS_MAX } from './values.ts'

const methods = ['none', 'client_secret_basic', 'client_secret_post']
const grantTypes = ['authorization_code', 'refresh_token']

/** RFC 7591: a program registers itself. Off unless the operator says otherwise. */
export async function registerClient(ctx: Context, body: unknown) {
  if (!ctx.runtime.settings.oauthRegistration)
    throw new ProtocolProblem('forbidden', 'Dynamic client registration is disabled.', {
      code: 'access_denied',
    })
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw oauthError('invalid_client_metadata', 'Send a JSON object.')
  const asked = body as Record<string, unknown>
  const redirect_uris = redirectUris(asked.redirect_uris)
  const method = oneOf('token_endpoint_auth_method', asked.token_endpoint_auth_method ?? 'none', methods)
  subset('grant_types', asked.grant_types ?? grantTypes, grantTypes)
  subset('response_types', asked.response_types ?? ['code'], ['code'])
  const scopes = scopesOf(asked.scope)
  const name = nameFrom(asked.client_name, new URL(redirect_uris[0]!).host)
  const { row, client_secret } = newClient(
    ctx,
    { name, redirect_uris, scopes, confidential: method !== 'none' },
    'registration',
  )
  await ctx.transaction(async ctx => store.insertClient(ctx, row))
  return {
    client_id: row.id,
    client_id_issued_at: Math.floor(Date.parse(row.created_at) / 1000),
    ...(client_secret !== null && { client_secret, client_secret_expires_at: 0 }),
    client_name: name,
    redirect_uris,
    token_endpoint_auth_method: method,
    grant_types: grantTypes,
    response_types: ['code'],
    scope: scopes.join(' '),
  }
}

function redirectUris(given: unknown): string[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > REDIRECT_URIS_MAX)
    throw oauthError('invalid_redirect_uri', `redirect_uris must be a list of 1 to ${REDIRECT_URIS_MAX}.`)
  for (const uri of given as unknown[]) {
    const fault = typeof uri === 'string' ? faultOfRedirectUri(uri, { web: true }) : 'must be text'
    if (fault) throw oauthError('invalid_redirect_uri', `A redirect_uri ${fault}.`)
  }
  return given as string[]
}

function oneOf(name: string, given: unknown, allowed: string[]): string {
  if (typeof given === 'string' && allowed.includes(given)) return given
  throw oauthError('invalid_client_metadata', `${name} must be ${allowed.join(' or ')}.`)
}

function subset(name: string, given: unknown, allowed: string[]): void {
  if (Array.isArray(given) && given.length > 0 && given.every(item => allowed.includes(item as string)))
    return
  throw oauthError('invalid_client_metadata', `${name} may contain ${allowed.join(' and ')}.`)
}

function scopesOf(given: unknown) {
  if (given === undefined) return allScopes
  const scopes = typeof given === 'string' ? knownScopes(given) : []
  if (scopes.length > 0) return scopes
  throw oauthError('invalid_client_metadata', 'scope contains no known scope.')
}
