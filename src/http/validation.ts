import type { TSchema } from 'typebox'
import { invalid, Problem } from '#platform/problem.ts'
import { FAULTS_MAX, schemaCheck, validatorOf } from '#platform/schema-check.ts'
import { isStorable, NOT_STORABLE } from '#platform/storable.ts'
import { nothingHere } from './problems.ts'

export type Check = (value: unknown) => void

/** A function that throws the problem with every fault, or returns. */
export function bodyCheck(schema: TSchema): Check {
  const faultsOf = schemaCheck(schema)
  return value => {
    if (value === undefined)
      throw new Problem('malformed', 'This request requires a JSON body.', { code: 'body_missing' })
    const faults = faultsOf(value)
    if (faults.length > 0) throw invalid(faults)
  }
}

/** For an endpoint that takes no body: `{}` is as good as nothing, a field is as wrong here as anywhere. */
export const noBodyCheck: Check = value => {
  if (value === undefined) return
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const names = isObject ? Object.keys(value) : ['']
  if (names.length > 0)
    throw invalid(names.slice(0, FAULTS_MAX).map(path => ({ path, message: 'is not a known field' })))
}

export function paramsCheck(schema: TSchema): Check {
  return value => {
    if (!validatorOf(schema).Check(value)) throw nothingHere()
  }
}

export type ParseQuery = (query: Record<string, string | string[]>) => Record<string, unknown>

/** Query parameters are text: numbers, booleans and repeated ones are read by the schema, unknown ones refused. */
export function queryParser(schema: TSchema | undefined): ParseQuery {
  const properties = (schema as { properties?: Record<string, JsonSchema> } | undefined)?.properties ?? {}
  const faultsOf = schema && schemaCheck(schema)
  let needsNothing: boolean | undefined
  return query => {
    const names = Object.keys(query)
    if (names.length === 0 && (needsNothing ??= !faultsOf || faultsOf({}).length === 0)) return {}
    const unknown = names.filter(name => !Object.hasOwn(properties, name))
    if (unknown.length > 0) throw unknownParameters(unknown, Object.keys(properties))
    refuseBrokenText(query)
    const values = Object.fromEntries(
      names.map(name => [name, readParameter(name, query[name]!, properties[name]!)]),
    )
    const faults = faultsOf?.(values) ?? []
    if (faults.length > 0) throw invalid(faults)
    return values
  }
}

function refuseBrokenText(query: Record<string, string | string[]>): void {
  const broken = brokenIn(query)
  if (broken.length > 0) throw invalid(broken.map(path => ({ path, message: NOT_STORABLE })))
}

function brokenIn(query: Record<string, string | string[]>): string[] {
  return Object.keys(query).filter(name => ![name, ...[query[name]!].flat()].every(isStorable))
}

type JsonSchema = {
  type?: string
  items?: JsonSchema
  anyOf?: JsonSchema[]
  description?: string
  [key: string]: unknown
}

function readParameter(name: string, value: string | string[], schema: JsonSchema): unknown {
  if (schema.type === 'array') return Array.isArray(value) ? value : [value]
  if (Array.isArray(value)) {
    throw new Problem('malformed', `${name} is given more than once.`, { code: 'repeated_parameter' })
  }
  if (schema.type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value)
  if (schema.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

function unknownParameters(unknown: string[], known: string[]): Problem {
  const list = known.length > 0 ? ` Supported: ${known.join(', ')}.` : ' None are supported.'
  return new Problem('malformed', `Unknown query parameter: ${unknown.join(', ').slice(0, 200)}.${list}`, {
    code: 'unknown_parameter',
    errors: unknown
      .slice(0, FAULTS_MAX)
      .map(path => ({ path: path.slice(0, 100), message: 'is not supported here' })),
  })
}
