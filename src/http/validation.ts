import { Compile } from 'typebox/compile'
import { Format } from 'typebox/format'
import { Settings } from 'typebox/system'
import type { TSchema } from 'typebox'
import { isInstant } from '#platform/clock.ts'
import { invalid, Problem, type Fault } from '#platform/problem.ts'
import { isStorable, NOT_STORABLE } from './json.ts'

/** Every fault is told, up to a number nobody reads past. */
const FAULTS_MAX = 100
Settings.Set({ maxErrors: FAULTS_MAX })
Format.Set('time-zone', isTimeZone)
// Stricter than the format of that name: what PostgreSQL cannot keep is refused here, not there.
Format.Set('date-time', isInstant)

export type Check = (value: unknown) => void

/** A function that throws the problem with every fault, or returns. Compiled once per endpoint. */
export function bodyCheck(schema: TSchema): Check {
  const validator = Compile(schema)
  return value => {
    if (value === undefined)
      throw new Problem('malformed', 'This request needs a JSON body.', { code: 'body_missing' })
    if (!validator.Check(value)) throw invalid(readable(validator.Errors(value), schema))
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
  const validator = Compile(schema)
  return value => {
    if (!validator.Check(value)) throw new Problem('not_found', 'There is nothing at this address.')
  }
}

export type ParseQuery = (query: Record<string, string | string[]>) => Record<string, unknown>

/** Query parameters are text: numbers, booleans and repeated ones are read by the schema, unknown ones refused. */
export function queryParser(schema: TSchema | undefined): ParseQuery {
  const properties = (schema as { properties?: Record<string, JsonSchema> } | undefined)?.properties ?? {}
  const validator = schema && Compile(schema)
  return query => {
    const names = Object.keys(query)
    if (names.length === 0) return {}
    const unknown = names.filter(name => !Object.hasOwn(properties, name))
    if (unknown.length > 0) throw unknownParameters(unknown, Object.keys(properties))
    refuseBrokenText(query)
    const values = Object.fromEntries(
      names.map(name => [name, readParameter(name, query[name]!, properties[name]!)]),
    )
    if (validator && !validator.Check(values)) throw invalid(readable(validator.Errors(values), schema))
    return values
  }
}

function refuseBrokenText(query: Record<string, string | string[]>): void {
  const broken = Object.keys(query).filter(name => ![query[name]!].flat().every(isStorable))
  if (broken.length > 0) throw invalid(broken.map(path => ({ path, message: NOT_STORABLE })))
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
  const list = known.length > 0 ? ` Known ones: ${known.join(', ')}.` : ' It takes none.'
  return new Problem('malformed', `Unknown query parameter: ${unknown.join(', ').slice(0, 200)}.${list}`, {
    code: 'unknown_parameter',
    errors: unknown
      .slice(0, FAULTS_MAX)
      .map(path => ({ path: path.slice(0, 100), message: 'is not known here' })),
  })
}

type SchemaError = {
  keyword: string
  schemaPath: string
  instancePath: string
  params: Record<string, unknown>
  message: string
}

/** The validator's words made into a person's: one fault per place, in the terms of the field. */
function readable(errors: readonly SchemaError[], schema: TSchema): Fault[] {
  const faults = new Map<string, string>()
  for (const error of errors) {
    if (isNoise(error)) continue
    for (const { path, message } of faultsOf(error, schema)) if (!faults.has(path)) faults.set(path, message)
  }
  if (faults.size === 0) faults.set('', 'is not right')
  return [...faults].map(([path, message]) => ({ path, message }))
}

/** "or null" and "none of these alternatives" repeat what the first alternative already said. */
function isNoise({ keyword, params }: SchemaError): boolean {
  return keyword === 'anyOf' || keyword === 'boolean' || (keyword === 'type' && params.type === 'null')
}

function faultsOf(
  { keyword, instancePath, schemaPath, params, message }: SchemaError,
  schema: TSchema,
): Fault[] {
  const path = readablePath(instancePath)
  const below = (name: string) => (path ? `${path}.${name}` : name)
  switch (keyword) {
    case 'required':
      return (params.requiredProperties as string[]).map(name => ({
        path: below(name),
        message: 'is missing',
      }))
    case 'additionalProperties':
      return (params.additionalProperties as string[]).map(name => ({
        path: below(name),
        message: 'is not a known field',
      }))
    case 'enum':
      return [{ path, message: `must be one of ${(params.allowedValues as unknown[]).join(', ')}` }]
    case 'pattern':
    case 'format':
      return [
        {
          path,
          message:
            describe(schemaPath, schema) ??
            (keyword === 'format'
              ? `must be a ${String(params.format)}`
              : 'has characters that are not allowed'),
        },
      ]
    case 'minLength':
      return [{ path, message: 'must not be empty' }]
    default:
      return [{ path, message }]
  }
}

/** A pattern is for machines; its description tells a person what is expected. */
function describe(schemaPath: string, schema: TSchema): string | undefined {
  let at: unknown = schema
  for (const step of schemaPath.split('/').slice(1)) {
    at = (at as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  const description = (at as JsonSchema | undefined)?.description
  return description && `must be: ${description}`
}

/** `/nodes/2/else/0/action` → `nodes[2].else[0].action` */
export function readablePath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step), '')
}

const timeZones = new Map<string, boolean>()
const TIME_ZONES_CACHED_MAX = 1_000

function isTimeZone(name: string): boolean {
  const known = timeZones.get(name)
  if (known !== undefined) return known
  // An offset is no zone: it knows no summer time, and PostgreSQL reads its sign the other way round.
  let valid = /^[A-Za-z]/.test(name)
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    valid = false
  }
  if (timeZones.size < TIME_ZONES_CACHED_MAX) timeZones.set(name, valid)
  return valid
}
