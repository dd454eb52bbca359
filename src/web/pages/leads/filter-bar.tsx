import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import IconFilter from 'icon:filter'
import { useState, type RefObject } from 'react'
import type { View } from '#domains/views/contract.ts'
import { paths } from '../../paths.ts'
import { ButtonMenu } from '../../ui/menu.tsx'
import { ColumnMenu } from '../../ui/record-list/column-menu.tsx'
import { SearchField } from '../../ui/record-list/search-field.tsx'
import { count, plural } from '../../ui/words.ts'
import type { LeadList } from '../../records/leads/cache.ts'
import { useFields } from '../../records/leads/choices.tsx'
import type { Column } from './columns.ts'
import { FilterChip } from './filter-chip.tsx'
import { filterNames, isChosenElsewhere, isSet, type FilterName } from './filters.ts'
import { clearedFilters, isFiltered, type LeadsSearch } from '../../records/leads/search.ts'
import { SortMenu } from './sort-menu.tsx'
import classes from '../../ui/record-list/filter-bar.module.css'
import pageClasses from '../../ui/page.module.css'

type Props = {
  search: LeadsSearch
  list: LeadList | undefined
  columns: Column[]
  view: View | undefined
  searchField: RefObject<HTMLInputElement | null>
  narrow: boolean | undefined
}

/** The search and filters of the list. */
export function FilterBar({ search, list, columns, view, searchField, narrow }: Props) {
  const navigate = useNavigate()
  const fields = useFields()
  /** A filter that was added and has no value yet. */
  const [added, setAdded] = useState<FilterName | null>(null)
  const set = (next: LeadsSearch) => void navigate({ to: paths.leads, search: next, replace: true })
  const chips = filterNames.filter(([name]) => isSet(search, name) || name === added)
  return (
    <div className={pageClasses.bar}>
      <SearchField
        label="Search leads"
        q={search.q}
        set={q => {
          const { q: _q, ...rest } = search
          set(q ? { ...rest, q } : rest)
        }}
        field={searchField}
      />
      {chips.map(([name]) => (
        <FilterChip
          key={name}
          name={name}
          search={search}
          set={set}
          startsOpen={name === added}
          closed={() => setAdded(null)}
        />
      ))}
      <ButtonMenu
        position="bottom-start"
        button={
          <Button size="xs" variant="subtle" color="gray" leftSection={<IconFilter size={16} />}>
            Filter
          </Button>
        }
        items={filterNames
          .filter(([name]) => !isChosenElsewhere(name))
          .map(([name, label]) => ({ label, disabled: isSet(search, name), run: () => setAdded(name) }))}
      />
      {isFiltered(search) && (
        <Button size="xs" variant="subtle" color="gray" onClick={() => set(clearedFilters(search))}>
          Clear
        </Button>
      )}
      <div className={classes.right}>
        <span className={classes.count} role="status">
          {list && howMany(list, search.q !== undefined)}
        </span>
        {narrow ? (
          <SortMenu search={search} set={set} />
        ) : (
          <ColumnMenu kind="leads" fields={fields} columns={columns} view={view} />
        )}
      </div>
    </div>
  )
}

/** Only a search stops counting. */
function howMany(list: LeadList, searched: boolean): string {
  return searched && list.capped ? `${count(list.count)}+ leads` : plural(list.count, 'lead')
}
