import { oauthError } from './errors.ts'

/** The fields of a token, revocation or introspection request, as form or JSON: text, each at most once. */
export function fieldsOf(body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw oauthError('invalid_request', 'Send the parameters as a form or as a JSON object.')
  const entries = Object.entries(body).filter(([, value]) => value !== null && value !== undefined)
  const wrong = entries.find(([, value]) => typeof value !== 'string')
  if (wrong) throw oauthError('invalid_request', `${wrong[0].slice(0, 100)} must be text.`)
  // A parameter without a value is one that was left out (RFC 6749, 3.2).
  return Object.fromEntries(entries.filter(([, value]) => value !== '')) as Record<string, string>
}

export function required(fields: Record<string, string>, name: string): string {
  const value = fields[name]
  if (value === undefined) throw oauthError('invalid_request', `${name} is missing.`)
  return value
}
