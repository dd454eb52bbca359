import type { Entry } from '#domains/audit/contract.ts'

export type Data = Record<string, unknown>
export type Told = Pick<Entry, 'type' | 'actor' | 'subject' | 'data'>
export type Known = { group: string; label: string; say: (data: Data, entry: Told) => string }

export function is(group: string, label: string, say: Known['say']): Known {
  return { group, label, say }
}

const NAME_LENGTH_MAX = 60

/** Events keep what was true when they were recorded: a name may be missing, long or not even text. */
export function word(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : ''
  if (!text) return 'without a name'
  return text.length > NAME_LENGTH_MAX ? `${text.slice(0, NAME_LENGTH_MAX).trimEnd()}…` : text
}

/** The quotes show where a name ends, so that it cannot pass for a part of the sentence. */
export function quoted(value: unknown): string {
  return typeof value === 'string' && value.trim() ? `“${word(value)}”` : word(value)
}

export function whole(value: unknown): string {
  return Number.isInteger(value) ? String(value) : 'some'
}

const FIELDS_MAX = 3

export function fieldsIn(after: unknown): string {
  const names = Object.keys(after && typeof after === 'object' ? after : {})
    .filter(name => name !== 'updated_at')
    .map(name => name.replaceAll('_', ' '))
  if (names.length === 0) return 'something'
  const more = names.length - FIELDS_MAX
  return more > 0 ? `${names.slice(0, FIELDS_MAX).join(', ')} and ${more} more` : names.join(', ')
}
