import { ActionIcon, Button, Menu, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useEffect, useState, type KeyboardEvent, type RefObject } from 'react'
import type { View } from '#domains/views/contract.ts'
import { paths } from '../../paths.ts'
import { count, plural } from '../../ui/words.ts'
import type { LeadList } from './cache.ts'
import { ColumnMenu } from './column-menu.tsx'
import type { Column } from './columns.ts'
import { FilterChip } from './filter-chip.tsx'
import { filterNames, isSet, type FilterName } from './filters.ts'
import { clearedFilters, isFiltered, type LeadsSearch } from './search.ts'
import { SortMenu } from './sort-menu.tsx'
import classes from './filter-bar.module.css'

const QUIET_MS = 220

type Props = {
  search: LeadsSearch
  list: LeadList | undefined
  columns: Column[]
  view: View | undefined
  searchField: RefObject<HTMLInputElement | null>
  narrow: boolean | undefined
}

/** What the list shows, in words, and the ways to change it. */
export function FilterBar({ search, list, columns, view, searchField, narrow }: Props) {
  const navigate = useNavigate()
  /** A filter that was added and has no value yet. */
  const [added, setAdded] = useState<FilterName | null>(null)
  const set = (next: LeadsSearch) => void navigate({ to: paths.leads, search: next, replace: true })
  const chips = filterNames.filter(([name]) => isSet(search, name) || name === added)
  return (
    <div className={classes.bar}>
      <SearchField search={search} set={set} field={searchField} />
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
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="xs" variant="subtle" color="gray" leftSection={<IconFilter size={15} />}>
            Filter
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {filterNames.map(([name, label]) => (
            <Menu.Item key={name} disabled={isSet(search, name)} onClick={() => setAdded(name)}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {isFiltered(search) && (
        <Button size="xs" variant="subtle" color="gray" onClick={() => set(clearedFilters(search))}>
          Clear
        </Button>
      )}
      <div className={classes.right}>
        <span className={classes.count} role="status">
          {list && howMany(list, search.q !== undefined)}
        </span>
        {narrow ? <SortMenu search={search} set={set} /> : <ColumnMenu columns={columns} view={view} />}
      </div>
    </div>
  )
}

/** Only a search stops counting. */
function howMany(list: LeadList, searched: boolean): string {
  return searched && list.capped ? `${count(list.count)}+ leads` : plural(list.count, 'lead')
}

type SearchProps = {
  search: LeadsSearch
  set: (next: LeadsSearch) => void
  field: RefObject<HTMLInputElement | null>
}

function SearchField({ search, set, field }: SearchProps) {
  const [text, setText] = useState(search.q ?? '')
  const apply = useDebouncedCallback((q: string) => {
    const { q: _q, ...rest } = search
    set(q.trim() ? { ...rest, q: q.trim() } : rest)
  }, QUIET_MS)
  useEffect(() => {
    // The URL may change without us, by a view or by going back; what is being typed stays.
    if (document.activeElement !== field.current) setText(search.q ?? '')
  }, [search.q, field])

  function type(next: string) {
    setText(next)
    apply(next)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && text) type('')
    else if (event.key === 'Escape') field.current?.blur()
    else if (event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault()
      document.querySelector<HTMLElement>('[role="grid"]')?.focus()
    }
  }

  return (
    <TextInput
      ref={field}
      size="xs"
      className={classes.search}
      type="search"
      aria-label="Search leads"
      aria-keyshortcuts="/"
      placeholder="Search leads"
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        text ? (
          <ActionIcon size="sm" aria-label="Empty the search" onClick={() => type('')}>
            <IconX size={13} />
          </ActionIcon>
        ) : (
          <kbd className={classes.key}>/</kbd>
        )
      }
      rightSectionPointerEvents={text ? 'all' : 'none'}
      value={text}
      maxLength={200}
      onChange={event => type(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}
