import type { DraftField } from './draft-content.ts'

const KEY_LENGTH_MAX = 40
export const KEY = /^[a-z][a-z0-9_]{0,39}$/

/** "Work e-mail" → `work_email`, or `work_email_2` if that is taken. */
export function keyFrom(label: string, taken: readonly string[]): string {
  const plain = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/\be-mail/g, 'email')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  const stem = /^[a-z]/.test(plain) ? plain : `field_${plain}`
  const base = stem.slice(0, KEY_LENGTH_MAX - 3).replace(/_+$/, '')
  for (let number = 1; ; number++) {
    const key = number === 1 ? base : `${base}_${number}`
    if (!taken.includes(key)) return key
  }
}

/**
 * The key follows its label until somebody chooses a key, or answers may be stored under it: `kept` are the keys
 * visitors have seen.
 */
export function relabelled(
  field: DraftField,
  label: string,
  fields: readonly DraftField[],
  kept: readonly string[] | undefined,
): Partial<Pick<DraftField, 'label' | 'key'>> {
  const taken = fields.filter(({ id }) => id !== field.id).map(({ key }) => key)
  const isOwn = field.key !== keyFrom(field.label, taken)
  if (isOwn || !kept || kept.includes(field.key)) return { label }
  return { label, key: keyFrom(label, [...taken, ...kept]) }
}
