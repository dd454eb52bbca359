import { SegmentedControl } from '@mantine/core'
import { SortedBy, TrashButton } from './list-page.tsx'
import { SearchField } from './search-field.tsx'
import pageClasses from './page.module.css'

const sorts = { '-updated_at': 'Last updated', '-created_at': 'Newest', name: 'Name' } as const

type Search = { q?: string; status?: string; sort?: keyof typeof sorts; trashed?: true }

type Props = {
  /** What is listed, such as `workflows`. */
  noun: string
  search: Search
  /** The page validates the search, which removes cleared values. */
  put: (change: Record<string, unknown>) => void
  statuses: readonly { value: string; label: string }[]
}

/** Filters and sorting of a list by status. */
export function StatusFilters({ noun, search, put, statuses }: Props) {
  return (
    <search className={pageClasses.bar} aria-label={`Filter ${noun}`}>
      <SearchField label={`Search ${noun}`} value={search.q ?? ''} set={q => put({ q })} />
      <SegmentedControl
        size="xs"
        aria-label="Status"
        value={search.status ?? ''}
        data={[{ value: '', label: 'All' }, ...statuses]}
        onChange={status => put({ status })}
      />
      <SortedBy words={sorts} value={search.sort ?? '-updated_at'} set={sort => put({ sort })} />
      <TrashButton trashed={search.trashed === true} set={trashed => put({ trashed })} />
    </search>
  )
}
