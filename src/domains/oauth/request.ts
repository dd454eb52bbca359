import type { Parameters } from '#platform/contract.ts'
import { isScope, type Scope } from '#platform/scopes.ts'

export const STATE_LENGTH_MAX = 1_000
const SCOPE_LENGTH_MAX = 2_000
const RESOURCE_LENGTH_MAX = 2_000
/** base64url of a SHA-256 digest, without padding. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** What a client asks for, once everything about it is right. */
export type AuthorizationRequest = {
  client_id: string
  redirect_uri: string
  scopes: Scope[]
  state: string
  challenge: string
  resource: string | null
  prompt: 'none' | 'consent' | null
}

/** Told to the client by a redirect. */
export type Refusal = { error: string; error_description: string }

type Asked = { parameters: Parameters; allowed: readonly Scope[]; baseUrl: string }
type Check = (asked: Asked) => Refusal | undefined

/** In this order; the first fault is told. The client and its redirect_uri have been checked before any of these. */
const checks: readonly Check[] = [
  repeatedParameter,
  requestObject,
  responseType,
  responseMode,
  state,
  challengeMethod,
  challenge,
  scope,
  resource,
  prompt,
]

export function firstFault(asked: Asked): Refusal | undefined {
  for (const check of checks) {
    const refusal = check(asked)
    if (refusal) return refusal
  }
  return undefined
}

/** Only after `firstFault` found none. */
export function requestFrom(parameters: Parameters): AuthorizationRequest {
  return {
    client_id: one(parameters, 'client_id')!,
    redirect_uri: one(parameters, 'redirect_uri')!,
    scopes: scopesIn(one(parameters, 'scope')!) as Scope[],
    state: one(parameters, 'state')!,
    challenge: one(parameters, 'code_challenge')!,
    resource: one(parameters, 'resource') ?? null,
    prompt: (one(parameters, 'prompt') as 'none' | 'consent' | undefined) ?? null,
  }
}

/** The address that asks for the same again. */
export function pathOf({ scopes, challenge, resource, prompt, ...same }: AuthorizationRequest): string {
  const query = new URLSearchParams({
    response_type: 'code',
    ...same,
    scope: scopes.join(' '),
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(resource !== null && { resource }),
    ...(prompt !== null && { prompt }),
  })
  return `/api/oauth/authorize?${query.toString()}`
}

/** The value of a parameter that is given exactly once; one without a value was left out. */
export function one(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function scopesIn(text: string): string[] {
  return [...new Set(text.split(' ').filter(Boolean))]
}

/** A token may be asked for the whole installation or for a part of it, and for nothing else. */
export function isOurs(resource: string, baseUrl: string): boolean {
  if (resource.length > RESOURCE_LENGTH_MAX || !URL.canParse(resource)) return false
  const { origin, hash, username, search } = new URL(resource)
  return origin === baseUrl && !hash && !resource.includes('#') && !username && !search
}

function repeatedParameter({ parameters }: Asked): Refusal | undefined {
  const name = Object.keys(parameters).find(name => Array.isArray(parameters[name]))
  return name === undefined ? undefined : invalid(`${printable(name)} is given more than once.`)
}

function requestObject({ parameters }: Asked): Refusal | undefined {
  for (const name of ['request', 'request_uri']) {
    if (parameters[name] !== undefined)
      return { error: `${name}_not_supported`, error_description: `${name} is not supported.` }
  }
  return undefined
}

function responseType({ parameters }: Asked): Refusal | undefined {
  const type = one(parameters, 'response_type')
  if (type === undefined) return missing('response_type')
  if (type === 'code') return undefined
  return { error: 'unsupported_response_type', error_description: 'response_type must be code.' }
}

function responseMode({ parameters }: Asked): Refusal | undefined {
  const mode = one(parameters, 'response_mode')
  return mode === undefined || mode === 'query' ? undefined : invalid('response_mode must be query.')
}

function state({ parameters }: Asked): Refusal | undefined {
  const value = one(parameters, 'state')
  if (value === undefined) return missing('state')
  return value.length > STATE_LENGTH_MAX
    ? invalid(`state has more than ${STATE_LENGTH_MAX} characters.`)
    : undefined
}

function challengeMethod({ parameters }: Asked): Refusal | undefined {
  const method = one(parameters, 'code_challenge_method')
  if (method === undefined) return missing('code_challenge_method')
  return method === 'S256' ? undefined : invalid('code_challenge_method must be S256.')
}

function challenge({ parameters }: Asked): Refusal | undefined {
  const value = one(parameters, 'code_challenge')
  if (value === undefined) return missing('code_challenge')
  return CHALLENGE.test(value)
    ? undefined
    : invalid('code_challenge must be the base64url of a SHA-256 digest: 43 characters.')
}

function scope({ parameters, allowed }: Asked): Refusal | undefined {
  const text = one(parameters, 'scope') ?? ''
  const names = scopesIn(text)
  if (names.length === 0) return invalidScope('scope is empty.')
  if (text.length > SCOPE_LENGTH_MAX) return invalidScope('scope is too long.')
  const unknown = names.find(name => !isScope(name))
  if (unknown !== undefined) return invalidScope(`Unknown scope: ${printable(unknown)}.`)
  const refused = names.find(name => !allowed.includes(name as Scope))
  return refused === undefined ? undefined : invalidScope(`This client may not ask for ${refused}.`)
}

function resource({ parameters, baseUrl }: Asked): Refusal | undefined {
  const value = one(parameters, 'resource')
  if (value === undefined || isOurs(value, baseUrl)) return undefined
  return { error: 'invalid_target', error_description: `resource must be a URL below ${baseUrl}` }
}

function prompt({ parameters }: Asked): Refusal | undefined {
  const value = one(parameters, 'prompt')
  return value === undefined || value === 'none' || value === 'consent'
    ? undefined
    : invalid('prompt must be none or consent.')
}

function missing(name: string): Refusal {
  return invalid(`${name} is missing.`)
}

function invalid(error_description: string): Refusal {
  return { error: 'invalid_request', error_description }
}

function invalidScope(error_description: string): Refusal {
  return { error: 'invalid_scope', error_description }
}

/** RFC 6749 allows only some characters in a description, and a stranger's text is cut short. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, 60)
}
