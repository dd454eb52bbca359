import type { CustomField } from '#domains/leads/contract.ts'

const LABEL_LENGTH_MAX = 200

/** Proposes a field for a column: its name from the heading, its kind from the values. */
export function proposedField(
  heading: string,
  values: readonly string[],
): Pick<CustomField, 'label' | 'kind'> {
  const filled = values.map(value => value.trim()).filter(Boolean)
  const kind = filled.length > 0 && kinds.find(([, looksLike]) => filled.every(looksLike))?.[0]
  return { label: heading.trim().slice(0, LABEL_LENGTH_MAX), kind: kind || 'text' }
}

type LooksLike = (value: string) => boolean

// Only formats that the import reads. Never a choice: only the first values are known here.
const kinds: [CustomField['kind'], LooksLike][] = [
  ['checkbox', value => /^(?:yes|no|true|false|ja|nein|oui|non|si|sí)$/i.test(value)],
  ['date', value => /^\d{4}([-/.])\d{1,2}\1\d{1,2}$|^\d{1,2}\.\s?\d{1,2}\.\s?\d{4}$/.test(value)],
  // Numbers with a leading 0 or more than 15 digits are likely identifiers.
  ['number', value => /^-?(?:0|[1-9]\d{0,14})(?:\.\d+|,\d{1,2})?$/.test(value)],
]
