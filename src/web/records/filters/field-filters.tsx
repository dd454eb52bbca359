import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Filter } from '#domains/fields/contract.ts'
import type { FilteredKind } from '#domains/fields/values.ts'
import { useMembers } from '../../queries.ts'
import { Chip } from '../../ui/record-list/chip.tsx'
import type { FieldFiltersProps } from '../../ui/record-list/filters.ts'
import { filterFieldsQuery, type FilterFields } from './fields.ts'
import { filterFrom, partsOf, textOf, withoutPart } from './filter-text.ts'
import { FilterDialog } from './filter-dialog.tsx'
import { filterInWords } from './words.ts'

const NOTHING_KNOWN: FilterFields = { fields: [], activities: [] }

/** A chip for each part of a filter. A click on one opens all of it. */
export function FieldFilters({
  kind,
  filter: text,
  set,
  editing,
  close,
}: FieldFiltersProps & { kind: FilteredKind }) {
  const filter = filterFrom(text)
  const { data: known } = useQuery(filterFieldsQuery(kind))
  const members = useMembers()
  const [opened, setOpened] = useState(false)
  const nameOf = (id: string) => {
    const member = members.find(each => each.id === id)
    return member && (member.name || member.email)
  }
  const put = (next: Filter | undefined) => set(textOf(next))
  function closeAll() {
    setOpened(false)
    close()
  }
  return (
    <>
      {filter &&
        partsOf(filter).map((part, at) => (
          <Chip
            key={JSON.stringify(part)}
            {...filterInWords(part, { ...(known ?? NOTHING_KNOWN), nameOf })}
            remove={() => put(withoutPart(filter, at))}
            openDialog={() => setOpened(true)}
          />
        ))}
      {(editing || opened) && known && (
        <FilterDialog kind={kind} filter={filter} known={known} set={put} close={closeAll} />
      )}
    </>
  )
}
