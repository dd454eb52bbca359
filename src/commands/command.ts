import { isScope, scopes, type Scope } from '#platform/scopes.ts'

export type Command = {
  name: string
  summary: string
  details?: string
  /** A positional argument after the command name, like a file. */
  positional?: string
  options: Record<string, { type: 'string' | 'boolean'; describe: string }>
  load(): Promise<{ run: Run }>
}

/** The exit code; nothing is 0. */
type Run = (values: Values, positionals: string[]) => Promise<number | void>

export type Values = Record<string, string | undefined>

/** The call's words are off: the help text follows the message. */
export class UsageError extends Error {}

export function need(values: Values, name: string): string {
  const value = values[name]
  if (!value) throw new UsageError(`--${name} is missing.`)
  return value
}

export function needEmail(values: Values): string {
  const email = need(values, 'email')
  if (!/^[^\s@<>,;"']+@[^\s@<>,;"']+$/.test(email))
    throw new UsageError(`--email is not an email address: ${email}`)
  return email
}

export function parseScopes(text: string): Scope[] {
  const names = [...new Set(text.split(/\s+/).filter(Boolean))]
  const unknown = names.filter(name => !isScope(name))
  if (unknown.length > 0)
    throw new UsageError(`Unknown scope: ${unknown.join(' ')}. Known: ${Object.keys(scopes).join(' ')}`)
  if (names.length === 0) throw new UsageError('--scope is empty.')
  return names as Scope[]
}
