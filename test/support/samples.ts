import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import type { TSchema } from 'typebox'

/** The part of JSON Schema that the contracts use. */
export type Schema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  minimum?: number
  maximum?: number
  pattern?: string
  format?: string
  examples?: unknown[]
  minLength?: number
  maxLength?: number
}

/** What stands in the place of an id: by the name of its field, or nothing, when it must be left out. */
export type IdFor = (field: string) => string | undefined

const ID_PATTERN = '^[0-9a-f]{24}$'

/** Text that suits most fields; the first that a schema takes is used. `New` is a stage of every pipeline. */
const CANDIDATES = [
  'New',
  'new_field',
  'ada@example.test',
  '+4930123456',
  'https://example.test/',
  'Europe/Berlin',
  '2026-03-02T09:00:00.000Z',
  '2026-03-02',
  '12.50',
  'EUR',
  '1d',
]

export function isId(schema: Schema): boolean {
  return schema.pattern === ID_PATTERN || (schema.anyOf?.some(isIdItself) ?? false)
}

function isIdItself({ pattern }: Schema): boolean {
  return pattern === ID_PATTERN
}

/**
 * A value that the schema takes, with every field filled in that can be. Ids are asked for by the name of their field;
 * a field whose id is not known is left out where it may be.
 */
export function sampleOf(schema: Schema, idFor: IdFor, field = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.examples) return structuredClone(schema.examples[0])
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return firstOf(schema.anyOf, idFor, field)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(part => sampleOf(part, idFor, field)))
  switch (schema.type) {
    case 'object':
      return sampleObject(schema, idFor)
    case 'array':
      return sampleArray(schema, idFor, field)
    case 'string':
      return isId(schema) ? idFor(field) : sampleText(schema, field)
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return {}
  }
}

/** Every place in a value of this schema where an id may stand, as a path like `ids[]` or `lines[].product_id`. */
export function idPlaces(schema: Schema, path = ''): string[] {
  if (isId(schema)) return [path]
  const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap(part => idPlaces(part, path))
  const items = schema.items ? idPlaces(schema.items, `${path}[]`) : []
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    idPlaces(property, path ? `${path}.${name}` : name),
  )
  return [...new Set([...parts, ...items, ...below])]
}

/** Every place where free text may stand, with the schema of that text. Keys of maps get a name that suits them. */
export function textPlaces(schema: Schema, path = ''): { place: string; schema: Schema }[] {
  if (schema.type === 'string' && !schema.enum && !isId(schema)) return [{ place: path, schema }]
  const join = (name: string) => (path ? `${path}.${name}` : name)
  return [
    ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap(part => textPlaces(part, path)),
    ...(schema.items ? textPlaces(schema.items, `${path}[]`) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      textPlaces(property, join(name)),
    ),
    ...Object.entries(schema.patternProperties ?? {}).flatMap(([pattern, property]) =>
      textPlaces(property, join(sampleText({ type: 'string', pattern }, path))),
    ),
  ]
}

/** Every field of an object schema by its path, down to the innermost. */
export function fieldPlaces(schema: Schema, path = ''): { place: string; schema: Schema }[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const place = path ? `${path}.${name}` : name
    return [{ place, schema: property }, ...fieldPlaces(property, place)]
  })
  const items = schema.items ? fieldPlaces(schema.items, `${path}[]`) : []
  const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap(part => fieldPlaces(part, path))
  return [...own, ...items, ...parts]
}

/** A copy of the value with something else at the place; arrays on the way get it as their only item. */
export function withValue(value: unknown, place: string, put: unknown): unknown {
  const match = /^(\.?[^.[\]]+|\[\])(.*)$/.exec(place)
  if (!match) return put
  const [, step, rest] = match
  if (step === '[]') return [withValue(Array.isArray(value) ? value[0] : undefined, rest!, put)]
  const name = step!.replace('.', '')
  const before = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  return { ...before, [name]: withValue(before[name], rest!, put) }
}

/** Whether the schema takes the value: the test's own opinion, to compare the product's with. */
export function takes(schema: Schema, value: unknown): boolean {
  let check = checks.get(schema)
  if (!check) checks.set(schema, (check = Compile(schema as TSchema)))
  return check.Check(value)
}

const checks = new WeakMap<Schema, ReturnType<typeof Compile>>()

function firstOf(alternatives: Schema[], idFor: IdFor, field: string): unknown {
  for (const alternative of alternatives) {
    const value = sampleOf(alternative, idFor, field)
    if (value !== undefined && value !== null) return value
  }
  return alternatives.some(alternative => alternative.type === 'null') ? null : undefined
}

function sampleObject({ properties = {} }: Schema, idFor: IdFor): Record<string, unknown> {
  const entries = Object.entries(properties).map(
    // A cursor comes from the page before.
    ([name, property]) => [name, name === 'cursor' ? undefined : sampleOf(property, idFor, name)] as const,
  )
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function sampleArray(
  { items = {}, minItems = 0 }: Schema,
  idFor: IdFor,
  field: string,
): unknown[] | undefined {
  const item = sampleOf(items, idFor, field)
  if (item === undefined) return minItems > 0 ? undefined : []
  return [item]
}

function sampleText(schema: Schema, field: string): string {
  let text = texts.get(schema)
  if (text === undefined) texts.set(schema, (text = findText(schema, field)))
  return text
}

const texts = new WeakMap<Schema, string>()

function findText(schema: Schema, field: string): string {
  const known = CANDIDATES.find(candidate => takes(schema, candidate))
  if (known !== undefined) return known
  const made = schema.pattern
    ? fc.sample(fc.stringMatching(new RegExp(schema.pattern)), { numRuns: 20, seed: 1 })
    : []
  const fitting = made.find(text => takes(schema, text))
  if (fitting !== undefined) return fitting
  throw new Error(
    `No sample text for ${field} (${JSON.stringify(schema)}): add one to test/support/samples.ts.`,
  )
}
