import { inPlainWords } from '../../ui/words.ts'
import type { Field, Value } from '../../records/leads/fields.ts'

export type FieldChange = { field: Field; before: Value; after: Value }

/** The fields that an event changed. A field that no longer exists is shown by its key. */
export function changesOf(data: Record<string, unknown>, fields: Field[]): FieldChange[] {
  const before = flat(data.before)
  const after = flat(data.after)
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys
    .filter(key => key !== 'updated_at' && before[key] !== after[key])
    .map(key => ({
      field: fields.find(field => field.key === key) ?? unknownField(key),
      before: before[key] ?? null,
      after: after[key] ?? null,
    }))
}

/** The plain values of an event this page has no words for. */
export function detailsOf(data: Record<string, unknown>): [name: string, value: string][] {
  return Object.entries(data)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => [name.replaceAll('_', ' '), String(value)])
}

/** `custom` and `utm` are nested: their fields are named like `custom.size`. */
function flat(fields: unknown): Record<string, Value> {
  const values: Record<string, Value> = {}
  for (const [key, value] of Object.entries((fields ?? {}) as Record<string, unknown>)) {
    if (value !== null && typeof value === 'object') {
      for (const [inner, each] of Object.entries(value)) values[`${key}.${inner}`] = each as Value
    } else values[key] = value as Value
  }
  return values
}

function unknownField(key: string): Field {
  const label = inPlainWords(key.slice(key.indexOf('.') + 1))
  return { key, label, kind: 'text', width: 0, group: 'record', editable: false, nullable: true }
}
