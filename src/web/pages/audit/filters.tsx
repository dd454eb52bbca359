import type { Entry } from '#domains/audit/contract.ts'
import { useMembers } from '../../queries.ts'
import { actorKinds, kindWords, typeChoices, whoInWords } from '../../records/audit/words.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import { periodFilter, withChosen, type Filter } from '../../ui/record-list/filters.ts'
import { without, valuesOf, type ListSearch } from '../../ui/record-list/search.ts'
import { nameInWords } from './details.ts'

type Props = {
  search: ListSearch
  set: (next: ListSearch) => void
  /** The newest entry shown: it has the name of an actor that is not a member, such as a key. */
  first: Entry | undefined
}

export function Filters({ search, set, first }: Props) {
  const members = useMembers().map(({ id, name, email }) => ({ value: id, label: name || email }))
  const nameOf = (id: string) => (first && first.actor.id === id ? whoInWords(first.actor) : 'Other actor')
  const actors = withChosen(members, valuesOf(search, 'actor_id'), nameOf)
  return (
    <ListBar
      label="Audit log filters"
      filters={[
        { kind: 'choice', name: 'actor_id', label: 'Actor', options: actors, single: true },
        { kind: 'choice', name: 'actor_kind', label: 'Actor type', options: kinds },
        { kind: 'choice', name: 'type', label: 'Event', options: types },
        periodFilter('Date'),
        subjectFilter(search),
      ]}
      search={search}
      // The type of a subject is not shown beside it and is removed with it.
      set={next => set(search.subject_id && !next.subject_id ? without(next, 'subject_kind') : next)}
    />
  )
}

const kinds = actorKinds.map(value => ({ value, label: kindWords[value].all }))
const types = typeChoices()

/** One record, or all records of a type. */
function subjectFilter(search: ListSearch): Filter {
  const [kind = 'record'] = valuesOf(search, 'subject_kind')
  const word = nameInWords(kind).toLowerCase()
  return search.subject_id
    ? { kind: 'record', name: 'subject_id', label: 'Subject', nameOf: () => `this ${word}` }
    : { kind: 'record', name: 'subject_kind', label: 'Subject type', nameOf: nameInWords }
}
