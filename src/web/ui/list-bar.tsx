import type { ReactNode } from 'react'
import { FilterChips } from './record-list/filter-chips.tsx'
import type { Filter } from './record-list/filters.ts'
import { without, type ListSearch } from './record-list/search.ts'
import { SearchField } from './search-field.tsx'
import pageClasses from './page.module.css'
import classes from './list-bar.module.css'

type Props = {
  /** The name of the landmark, such as "Call filters". */
  label: string
  /** Absent if the list cannot be searched by text. */
  searchLabel?: string
  filters: readonly Filter[]
  search: ListSearch
  set: (next: ListSearch) => void
  /** Below a heading inside the page instead of across its top. */
  inside?: true
  /** At the right: the order, the trash, an export. */
  children?: ReactNode
}

/** Search, filters and other controls above a list. */
export function ListBar({ label, searchLabel, filters, search, set, inside, children }: Props) {
  return (
    <search className={`${pageClasses.bar} ${classes.bar}`} aria-label={label} data-inside={inside}>
      {searchLabel && (
        <SearchField
          label={searchLabel}
          value={search.q ?? ''}
          set={q => set(q ? { ...search, q } : without(search, 'q'))}
        />
      )}
      <FilterChips filters={filters} search={search} set={set} />
      {children && <div className={classes.right}>{children}</div>}
    </search>
  )
}
