import { isDay } from './clock.ts'
import { t, Text, oneOf, type Static } from './contract.ts'
import { invalid, type Fault } from './problem.ts'
import { CUSTOM_FIELDS_MAX, customFieldKinds } from './values.ts'

const CustomKey = t.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' })
const CustomValue = t.Union([
  t.String({ maxLength: 2000, pattern: '^[^\\u0000]*$' }),
  t.Number(),
  t.Boolean(),
  t.Null(),
])
/** Values of the team's own fields, by their keys. */
export const Custom = t.Record(CustomKey, CustomValue, {
  additionalProperties: false,
  maxProperties: CUSTOM_FIELDS_MAX,
})
export type Custom = Static<typeof Custom>

export const CustomField = t.Object(
  {
    key: CustomKey,
    label: Text,
    kind: oneOf(customFieldKinds),
    options: t.Optional(t.Array(Text, { minItems: 1, maxItems: 100 })),
  },
  { additionalProperties: false },
)
export type CustomField = Static<typeof CustomField>

export const CustomFields = t.Array(CustomField, { maxItems: CUSTOM_FIELDS_MAX })

/** What is wrong with values that are about to be written. */
export function faultsInCustom(custom: Custom | undefined, fields: readonly CustomField[]): Fault[] {
  return Object.entries(custom ?? {}).flatMap(([key, value]) => {
    const field = fields.find(candidate => candidate.key === key)
    const message = field ? faultIn(field, value) : 'is not a custom field of this team'
    return message ? [{ path: `custom.${key}`, message }] : []
  })
}

/** A change names the values it touches, and null removes one. */
export function mergedCustom(before: Custom, change: Custom): Custom {
  return withoutNulls({ ...before, ...change })
}

export function withoutNulls(custom: Custom): Custom {
  return Object.fromEntries(Object.entries(custom).filter(([, value]) => value !== null))
}

/** What is wrong with the definitions themselves. */
export function checkCustomFields(fields: readonly CustomField[]): void {
  const faults = fields.flatMap((field, at) => [
    ...(fields.findIndex(other => other.key === field.key) < at
      ? [{ path: `custom_fields[${at}].key`, message: 'is a duplicate' }]
      : []),
    ...(field.kind === 'choice' && !field.options
      ? [{ path: `custom_fields[${at}].options`, message: 'needs at least one option' }]
      : []),
  ])
  if (faults.length > 0) throw invalid(faults)
}

function faultIn(field: CustomField, value: unknown): string | undefined {
  if (value === null) return undefined
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? undefined : 'must be text'
    case 'number':
      return typeof value === 'number' ? undefined : 'must be a number'
    case 'checkbox':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'date':
      return typeof value === 'string' && isDay(value) ? undefined : 'must be a date like 2026-03-31'
    case 'choice':
      return field.options?.includes(value as string)
        ? undefined
        : `must be one of ${field.options?.join(', ')}`
  }
}
