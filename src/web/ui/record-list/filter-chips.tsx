import { Button } from '@mantine/core'
import IconFilter from 'icon:filter'
import { useState, type ComponentType } from 'react'
import { ButtonMenu } from '../menu.tsx'
import { FilterChip } from './filter-chip.tsx'
import { isSet, type FieldFiltersProps, type Filter } from './filters.ts'
import { clearedFilters, isFiltered, without, type ListSearch } from './search.ts'

type Props = {
  filters: readonly Filter[]
  fieldFilters?: ComponentType<FieldFiltersProps> | undefined
  search: ListSearch
  set: (next: ListSearch) => void
}

/** A chip for each filter that is set, a menu to add one, and a button to clear them all. */
export function FilterChips({ filters, fieldFilters: FieldFilters, search, set }: Props) {
  /** An added filter without a value yet. */
  const [added, setAdded] = useState<string | null>(null)
  const [editing, setEditing] = useState(false)
  const chips = filters.filter(
    filter => isSet(search, filter) || filter.name === added || isAlwaysShown(filter),
  )
  const choices = filters.filter(filter => isChosenHere(filter) && !isAlwaysShown(filter))
  return (
    <>
      {chips.map(filter => (
        <FilterChip
          key={filter.name}
          filter={filter}
          search={search}
          set={set}
          startsOpen={filter.name === added}
          closed={() => setAdded(null)}
        />
      ))}
      {FieldFilters && (
        <FieldFilters
          filter={typeof search.filter === 'string' ? search.filter : undefined}
          set={filter => set({ ...without(search, 'filter'), ...(filter !== undefined && { filter }) })}
          editing={editing}
          close={() => setEditing(false)}
        />
      )}
      <ButtonMenu
        position="bottom-start"
        button={
          <Button size="xs" variant="subtle" color="gray" leftSection={<IconFilter size={16} />}>
            Filter
          </Button>
        }
        items={[
          ...choices.map(filter => ({
            label: filter.label,
            disabled: isSet(search, filter),
            // A flag needs no value.
            run: () =>
              filter.kind === 'flag' ? set({ ...search, [filter.name]: true }) : setAdded(filter.name),
          })),
          ...(FieldFilters ? [{ label: 'Any field …', run: () => setEditing(true) }] : []),
        ]}
      />
      {isFiltered(search) && (
        <Button size="xs" variant="subtle" color="gray" onClick={() => set(clearedFilters(search))}>
          Clear
        </Button>
      )}
    </>
  )
}

function isAlwaysShown(filter: Filter): boolean {
  return filter.kind === 'choice' && filter.usual !== undefined
}

/** Records without a picker are set by a link. */
function isChosenHere(filter: Filter): boolean {
  return filter.kind !== 'record' || filter.picker !== undefined
}
