import { ActionIcon } from '@mantine/core'
import IconArrowsSort from 'icon:arrows-sort'
import type { RefObject } from 'react'
import type { View } from '#domains/views/contract.ts'
import { ButtonMenu } from '../menu.tsx'
import { count, plural } from '../words.ts'
import { ColumnMenu } from './column-menu.tsx'
import type { Column } from './columns.ts'
import { FilterChips } from './filter-chips.tsx'
import type { Listed, RecordKind } from './list.ts'
import { SearchField } from './search-field.tsx'
import { without, type ListSearch } from './search.ts'
import { directionOf, sortedBy } from './sorting.ts'
import type { List } from './source.ts'
import pageClasses from '../page.module.css'
import classes from './filter-bar.module.css'

type Props<T extends Listed> = {
  kind: RecordKind<T>
  search: ListSearch
  set: (next: ListSearch) => void
  columns: Column[]
  view: View | undefined
  searchField: RefObject<HTMLInputElement | null>
  narrow: boolean
  list: List<T> | undefined
}

/** The filters of a list, and the controls to change them. */
export function FilterBar<T extends Listed>(props: Props<T>) {
  const { kind, search, set, columns, view, searchField, narrow, list } = props
  return (
    <div className={pageClasses.bar}>
      <SearchField
        label={`Search ${kind.many}`}
        q={search.q}
        set={q => set(q ? { ...search, q } : without(search, 'q'))}
        field={searchField}
      />
      <FilterChips filters={kind.filters} fieldFilters={kind.fieldFilters} search={search} set={set} />
      <div className={classes.right}>
        <span className={classes.count} role="status">
          {list && howMany(kind, list)}
        </span>
        {narrow ? (
          <SortMenu kind={kind} search={search} set={set} />
        ) : (
          <ColumnMenu kind={kind.kind} fields={kind.columns} columns={columns} view={view} />
        )}
      </div>
    </div>
  )
}

/** A search stops counting at its limit. */
function howMany<T extends Listed>({ one, many }: RecordKind<T>, list: List<T>): string {
  return list.capped ? `${count(list.count)}+ ${many}` : plural(list.count, one, many)
}

type SortProps<T extends Listed> = Pick<Props<T>, 'kind' | 'search' | 'set'>

/** Cards have no column headers. */
function SortMenu<T extends Listed>({ kind, search, set }: SortProps<T>) {
  return (
    <ButtonMenu
      button={
        <ActionIcon aria-label="Sort" variant="default">
          <IconArrowsSort size={16} />
        </ActionIcon>
      }
      items={kind.columns
        .filter(({ sort }) => sort)
        .map(column => {
          const direction = directionOf(column, search, kind.shape)
          const arrow = direction && (direction === 'ascending' ? ' ↑' : ' ↓')
          return {
            label: column.label + (arrow ?? ''),
            current: direction !== undefined,
            run: () => set(sortedBy(column, search, kind.shape)),
          }
        })}
    />
  )
}
