import { memo } from 'react'
import type { Member } from '#domains/identity/contract.ts'
import { Person } from '../../ui/person.tsx'
import { Stage } from '../../ui/stage.tsx'
import { dateInWords, Time } from '../../ui/time.tsx'
import { count, inPlainWords } from '../../ui/words.ts'
import { AccountLink } from '../accounts/account-link.tsx'
import type { Field, Value } from './fields.ts'

export type People = ReadonlyMap<string, Pick<Member, 'id' | 'name' | 'email'>>

type Props = { field: Pick<Field, 'kind' | 'options'>; value: Value; people: People }

/** A value as a person reads it. Text is text: nothing a stranger typed becomes markup or a script address. */
export const ValueView = memo(function ValueView({ field, value, people }: Props) {
  if (value === null || value === '') return null
  switch (field.kind) {
    case 'stage':
      return <Stage stage={String(value)} stages={field.options ?? []} />
    case 'person': {
      const member = people.get(String(value))
      return member ? <Person member={member} /> : <span>Former member</span>
    }
    case 'account':
      return <AccountLink id={String(value)} />
    case 'instant':
      return <Time at={String(value)} />
    default:
      return <span>{plainValue(field, value)}</span>
  }
})

/** The same in letters alone, for titles, copies and timelines. */
export function plainValue(field: Pick<Field, 'kind'>, value: Value, people?: People): string {
  if (value === null || value === '') return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return count(value)
  if (field.kind === 'stage' || field.kind === 'status') return inPlainWords(value)
  if (field.kind === 'person') return people?.get(value)?.name || people?.get(value)?.email || 'former member'
  // An id says nothing; where the account is shown, its name is.
  if (field.kind === 'account') return ''
  if (field.kind === 'date') return dateInWords(value)
  return value
}
