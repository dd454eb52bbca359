import { memo } from 'react'
import { Person } from '../../ui/person.tsx'
import { Stage } from '../../ui/stage.tsx'
import { Time } from '../../ui/time.tsx'
import { AccountLink } from '../accounts/account-link.tsx'
import type { Field, Value } from './fields.ts'
import { plainValue, type People } from './plain-value.ts'

type Props = {
  field: Pick<Field, 'kind' | 'options'>
  value: Value
  people: People
  /** Of a link: -1 in tables, which have one focus. */
  tabIndex?: number
}

/** A value for display. Text stays text: nothing typed by strangers becomes markup or a script URL. */
export const ValueView = memo(function ValueView({ field, value, people, tabIndex }: Props) {
  if (value === null || value === '') return null
  switch (field.kind) {
    case 'stage':
      return <Stage stage={String(value)} stages={field.options ?? []} />
    case 'person': {
      const member = people.get(String(value))
      return member ? <Person member={member} /> : <span>Former member</span>
    }
    case 'account':
      return <AccountLink id={String(value)} {...(tabIndex !== undefined && { tabIndex })} />
    case 'instant':
      return <Time at={String(value)} />
    default:
      return <span>{plainValue(field, value)}</span>
  }
})
