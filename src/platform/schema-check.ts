import { Compile } from 'typebox/compile'
import { Format } from 'typebox/format'
import { Settings } from 'typebox/system'
import type { TSchema } from 'typebox'
import { isDay, isInstant } from './clock.ts'
import type { Fault } from './problem.ts'

/** Every fault is told, up to a number nobody reads past. */
export const FAULTS_MAX = 100
Settings.Set({ maxErrors: FAULTS_MAX })
Format.Set('time-zone', isTimeZone)
// Stricter than the format of that name: what PostgreSQL cannot keep is refused here, not there.
Format.Set('date-time', isInstant)
Format.Set('date', isDay)

/** What is wrong with a value, in a person's words; nothing when it is right. */
export type FaultsOf = (value: unknown) => Fault[]

/** Whatever comes in by another way than a request is judged by the same schemas as one. */
export function schemaCheck(schema: TSchema): FaultsOf {
  return value => {
    const crowded = crowdedIn(value, schema)
    if (crowded) return [crowded]
    const validator = validatorOf(schema)
    if (validator.Check(value)) return none
    const errors = validator.Errors(clipped(value))
    return readable(errors.length > 0 ? errors : validator.Errors(value), schema)
  }
}

/** A map with too many entries is refused before each of them is judged: of 80,000 that holds up everybody else. */
function crowdedIn(value: unknown, schema: TSchema): Fault | undefined {
  const { properties = {} } = schema as { properties?: Record<string, { maxProperties?: number }> }
  for (const [path, { maxProperties = Infinity }] of Object.entries(properties)) {
    const map = (value as Record<string, unknown> | null | undefined)?.[path]
    if (typeof map === 'object' && map !== null && Object.keys(map).length > maxProperties)
      return { path, message: `can have at most ${maxProperties} entries` }
  }
  return undefined
}

/** More than any list of ours may have, so that too many are still too many. */
export const ENTRIES_JUDGED_MAX = 1_001

/** Who sends a hundred thousand entries is told what is wrong with the first of them: to say it of all takes minutes. */
function clipped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.slice(0, ENTRIES_JUDGED_MAX).map(clipped)
  const names = Object.keys(value).slice(0, ENTRIES_JUDGED_MAX)
  return Object.fromEntries(names.map(name => [name, clipped((value as Record<string, unknown>)[name])]))
}

type Validator = ReturnType<typeof Compile>
const validators = new WeakMap<TSchema, Validator>()

/** Compiled when it is first needed, and once: a process starts without waiting for hundreds of schemas. */
export function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema)
  if (known) return known
  const validator = Compile(schema)
  validators.set(schema, validator)
  return validator
}

const none: Fault[] = []

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
  if (faults.size === 0) faults.set('', 'is not valid')
  return [...faults].slice(0, FAULTS_MAX).map(([path, message]) => ({ path, message }))
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
  const description = (at as { description?: string } | undefined)?.description
  if (!description) return undefined
  // "A date, like 2026-03-31" continues the sentence; anything else follows a colon.
  return /^an? /i.test(description)
    ? `must be ${description.charAt(0).toLowerCase()}${description.slice(1)}`
    : `has the wrong format: ${description}`
}

/** `/nodes/2/else/0/action` → `nodes[2].else[0].action` */
function readablePath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step), '')
}

const timeZones = new Map<string, boolean>()
const TIME_ZONES_CACHED_MAX = 1_000

export function isTimeZone(name: string): boolean {
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
