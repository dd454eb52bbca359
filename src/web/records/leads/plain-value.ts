import type { Member } from '#domains/identity/contract.ts'
import { dateInWords } from '../../ui/time.tsx'
import { count, inPlainWords } from '../../ui/words.ts'
import type { Field, Value } from './fields.ts'

export type People = ReadonlyMap<string, Pick<Member, 'id' | 'name' | 'email'>>

/** A value as plain text, for titles, copies and timelines. */
export function plainValue(field: Pick<Field, 'kind'>, value: Value, people?: People): string {
  if (value === null || value === '') return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return count(value)
  if (field.kind === 'stage' || field.kind === 'status') return inPlainWords(value)
  if (field.kind === 'person') return people?.get(value)?.name || people?.get(value)?.email || 'former member'
  // Only an id: the name of the account is shown elsewhere.
  if (field.kind === 'account') return ''
  if (field.kind === 'date') return dateInWords(value)
  return value
}
