import { Button, Select } from '@mantine/core'
import IconX from 'icon:x'
import type { Entry } from '#domains/audit/contract.ts'
import { useMembers } from '../../queries.ts'
import { DayInput } from '../../ui/day-input.tsx'
import { nameInWords } from './details.ts'
import type { AuditSearch } from './search.ts'
import {
  actorKinds,
  kindWords,
  typeChoices,
  typeLabel,
  whoInWords,
  type ActorKind,
} from '../../records/audit/words.ts'
import filtersClasses from '../../ui/filters.module.css'
import classes from './audit.module.css'

/** The open list stays inside the filters landmark and scrolls itself, so that the arrow keys reach all of it. */
const list = {
  comboboxProps: { width: 260, position: 'bottom-start', withinPortal: false },
  withScrollArea: false,
  classNames: { options: classes.options ?? '' },
} as const

type Props = {
  search: AuditSearch
  set: (next: AuditSearch) => void
  /** The newest entry shown: it has the name of an actor that is not a member, such as a key. */
  first: Entry | undefined
}

export function Filters({ search, set, first }: Props) {
  const { type, subject_kind, subject_id, from, until } = search
  const put = (change: { [K in keyof AuditSearch]: AuditSearch[K] | undefined }) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined)
    set(Object.fromEntries(next) as AuditSearch)
  }
  const isFiltered = Object.keys(search).length > 0
  const what = type?.length === 1 ? type[0] : undefined
  return (
    <search className={filtersClasses.filters} aria-label="Audit log filters">
      <Who search={search} put={put} first={first} />
      <Select
        size="xs"
        label="Event"
        placeholder={type && type.length > 1 ? type.map(typeLabel).join(', ') : 'Any event'}
        data={withUnknown(what)}
        value={what ?? null}
        onChange={value => put({ type: value ? [value] : undefined })}
        searchable
        clearable
        nothingFoundMessage="No matches"
        {...list}
        clearButtonProps={{ 'aria-label': 'Clear event' }}
        className={classes.choice}
      />
      <DayInput label="From" day={from} set={day => put({ from: day })} className={filtersClasses.day} />
      <DayInput label="Until" day={until} set={day => put({ until: day })} className={filtersClasses.day} />
      {subject_id && (
        <Button
          size="xs"
          variant="default"
          rightSection={<IconX size={14} />}
          aria-label="Remove subject filter"
          onClick={() => put({ subject_kind: undefined, subject_id: undefined })}
        >
          Only this {nameInWords(subject_kind ?? 'record').toLowerCase()}
        </Button>
      )}
      {isFiltered && (
        <Button size="xs" variant="subtle" color="gray" onClick={() => set({})}>
          Clear
        </Button>
      )}
    </search>
  )
}

type WhoProps = {
  search: AuditSearch
  put: (change: { actor_kind: ActorKind | undefined; actor_id: string | undefined }) => void
  first: Entry | undefined
}

/** All actors of a kind, or one member. The URL may name any other actor; it is shown by its name. */
function Who({ search: { actor_kind, actor_id }, put, first }: WhoProps) {
  const members = useMembers()
  const people = members.map(({ id, name, email }) => ({ value: `id:${id}`, label: name || email }))
  const isOther = actor_id !== undefined && !members.some(({ id }) => id === actor_id)
  const other = first && first.actor.id === actor_id ? whoInWords(first.actor) : 'Other actor'
  function choose(value: string | null) {
    const [, mark, name] = /^(id|kind):(.*)$/s.exec(value ?? '') ?? []
    put({
      actor_kind: mark === 'kind' ? (name as ActorKind) : undefined,
      actor_id: mark === 'id' ? name : undefined,
    })
  }
  return (
    <Select
      size="xs"
      label="Actor"
      placeholder="Anyone"
      data={[
        ...(isOther ? [{ group: 'Selected', items: [{ value: `id:${actor_id}`, label: other }] }] : []),
        {
          group: 'Types',
          items: actorKinds.map(kind => ({ value: `kind:${kind}`, label: kindWords[kind].all })),
        },
        { group: 'Members', items: people },
      ]}
      value={actor_id ? `id:${actor_id}` : actor_kind ? `kind:${actor_kind}` : null}
      onChange={choose}
      searchable
      clearable
      nothingFoundMessage="No matches"
      {...list}
      clearButtonProps={{ 'aria-label': 'Clear actor' }}
      className={classes.choice}
    />
  )
}

/** A type from the URL can be filtered by even if it has no label. */
function withUnknown(type: string | undefined) {
  const choices = typeChoices()
  const isKnown = !type || choices.some(({ items }) => items.some(({ value }) => value === type))
  return isKnown ? choices : [{ group: 'Selected', items: [{ value: type, label: type }] }, ...choices]
}
