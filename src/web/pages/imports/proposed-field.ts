import type { CustomField } from '#domains/leads/contract.ts'

const LABEL_LENGTH_MAX = 200

/** The field that a column could become: its name by the heading, its kind by the values below it. */
export function proposedField(
  heading: string,
  values: readonly string[],
): Pick<CustomField, 'label' | 'kind'> {
  const filled = values.map(value => value.trim()).filter(Boolean)
  const kind = filled.length > 0 && kinds.find(([, looksLike]) => filled.every(looksLike))?.[0]
  return { label: heading.trim().slice(0, LABEL_LENGTH_MAX), kind: kind || 'text' }
}

type LooksLike = (value: string) => boolean

// Only what the import reads without asking. A choice is never proposed: the values further down are not known here.
const kinds: [CustomField['kind'], LooksLike][] = [
  ['checkbox', value => /^(?:yes|no|true|false|ja|nein|oui|non|si|sí)$/i.test(value)],
  ['date', value => /^\d{4}([-/.])\d{1,2}\1\d{1,2}$|^\d{1,2}\.\s?\d{1,2}\.\s?\d{4}$/.test(value)],
  // A number that begins with 0, or has more digits than are counted exactly, is rather the name of something.
  ['number', value => /^-?(?:0|[1-9]\d{0,14})(?:\.\d+|,\d{1,2})?$/.test(value)],
]
