import { ActionIcon, Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import IconDots from 'icon:dots'
import IconDownload from 'icon:download'
import IconFilterOff from 'icon:filter-off'
import IconTrash from 'icon:trash'
import { useRef, type ReactNode } from 'react'
import { useViews } from '../../queries.ts'
import { stringifySearch } from '../../search-text.ts'
import { useCommands, type Command } from '../commands.ts'
import { useKeys } from '../keys.ts'
import { ButtonMenu, type MenuItem } from '../menu.tsx'
import { NARROW } from '../narrow.ts'
import { PageHead } from '../page-head.tsx'
import { Empty, Fault } from '../states.tsx'
import { useTitle } from '../title.ts'
import { Cards } from './cards.tsx'
import { useColumns } from './columns.ts'
import { FilterBar } from './filter-bar.tsx'
import { ListSkeleton } from './list-skeleton.tsx'
import type { ListColumn, Listed, RecordKind } from './list.ts'
import { clearedFilters, filterText, fromFilterText, isFiltered, toQuery, type ListSearch } from './search.ts'
import { useSelection, type Bulk } from './selection.ts'
import type { ListSource } from './source.ts'
import { Table } from './table.tsx'
import { ViewBar } from './view-bar.tsx'

type Props<T extends Listed> = {
  kind: RecordKind<T>
  source: ListSource<T>
  search: ListSearch
  show: (search: ListSearch, replace?: boolean) => void
  /** The primary action. */
  action: ReactNode
  /** More items for the menu of the list. */
  more?: MenuItem[]
  /** The summary above the list. */
  summary?: ReactNode
  /** Shown if there are no records at all. */
  none: ReactNode
  /** Bulk actions; absent for viewers. */
  bulk?: Bulk<T> | undefined
}

/** A list page: views, filters, columns, and the records as a table or cards. */
export function RecordList<T extends Listed>(props: Props<T>) {
  const { kind, source, search, show, action, more = [], summary, none, bulk } = props
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) === true
  const view = useViews(kind.kind).find(each => each.id === search.view)
  const { columns, shown, changed } = useColumns(kind.kind, kind.columns, kind.defaults, view)
  const {
    data: list,
    error,
    refetch,
    isPlaceholderData,
  } = useQuery({
    ...source.listQuery(search),
    placeholderData: keepPreviousData,
  })
  const searchField = useRef<HTMLInputElement>(null)
  const text = filterText(search)
  const trashed = search.trashed === true
  const name = trashed && !view ? `${kind.title} in trash` : (view?.name ?? kind.title)
  const isSelectable = bulk !== undefined && (!trashed || bulk.inTrash === true)
  const selection = useSelection({ bulk: isSelectable ? bulk : undefined, kind, source, search, list })
  const exported = kind.exportPath && kind.exportPath + stringifySearch(exportQuery(kind, search, shown))

  useTitle(name)
  useKeys({
    '/': () => searchField.current?.focus(),
    ArrowDown: () => document.querySelector<HTMLElement>('[role="grid"]')?.focus(),
  })
  useCommands([
    ...(exported
      ? [command(`Export these ${kind.many}`, 'csv download file', () => location.assign(exported))]
      : []),
    ...(selection
      ? [command(`Select all matching ${kind.many}`, 'bulk', () => void selection.selectAll())]
      : []),
    ...(isFiltered(search) ? [command('Clear filters', 'reset', () => show(clearedFilters(search)))] : []),
  ])

  return (
    <>
      <PageHead
        title={name}
        beside={
          <ViewBar
            kind={kind.kind}
            view={view}
            text={text}
            tidied={query => filterText(fromFilterText(kind.shape, query))}
            trashed={trashed}
            columns={columns}
            columnsChanged={changed}
            show={(query, id) => show({ ...fromFilterText(kind.shape, query), ...(id && { view: id }) })}
          />
        }
        actions={
          <>
            <ButtonMenu
              button={
                <ActionIcon variant="default" aria-label={`More actions for ${kind.many}`}>
                  <IconDots size={16} />
                </ActionIcon>
              }
              items={[
                ...(exported
                  ? [{ label: 'Export CSV', icon: <IconDownload size={16} />, file: exported }]
                  : []),
                ...more,
                {
                  label: trashed ? 'Leave trash' : 'Show trash',
                  icon: <IconTrash size={16} />,
                  run: () => show(trashed ? {} : { trashed: true }),
                },
              ]}
            />
            {!trashed && action}
          </>
        }
      />
      <FilterBar
        kind={kind}
        search={search}
        set={next => show(next, true)}
        columns={columns}
        view={view}
        searchField={searchField}
        narrow={narrow}
        list={list}
      />
      {summary}
      {error && !list ? (
        <Fault error={error} retry={() => void refetch()} />
      ) : !list ? (
        <ListSkeleton label={`Loading ${kind.many}`} narrow={narrow} shown={shown} checks={isSelectable} />
      ) : list.count === 0 ? (
        <NothingHere kind={kind} search={search} show={show} none={none} />
      ) : narrow ? (
        <Cards kind={kind} source={source} list={list} stale={isPlaceholderData} selection={selection} />
      ) : (
        <Table
          kind={kind}
          source={source}
          list={list}
          shown={shown}
          columns={{ kind: kind.kind, columns, view }}
          search={search}
          show={next => show(next)}
          stale={isPlaceholderData}
          selection={selection}
        />
      )}
      {selection && list && bulk?.bar(selection, list)}
    </>
  )
}

function NothingHere<T extends Listed>({
  kind,
  search,
  show,
  none,
}: Pick<Props<T>, 'kind' | 'search' | 'show' | 'none'>) {
  if (isFiltered(search)) {
    return (
      <Empty
        icon={<IconFilterOff size={32} stroke={1.4} />}
        title={`No ${kind.many} match these filters`}
        action={
          <Button variant="default" onClick={() => show(clearedFilters(search))}>
            Clear filters
          </Button>
        }
      >
        Try fewer filters or a different search.
      </Empty>
    )
  }
  if (!search.trashed) return none
  return (
    <Empty icon={<IconTrash size={32} stroke={1.4} />} title="Trash is empty">
      Deleted {kind.many} stay here for 30 days and can be restored.
    </Empty>
  )
}

/** Filters and sorting as shown, and the shown columns where the export knows columns. */
function exportQuery<T extends Listed>(
  { shape, exportFields }: RecordKind<T>,
  search: ListSearch,
  shown: ListColumn<T>[],
): Record<string, unknown> {
  const query = toQuery<Record<string, unknown>>(shape, search)
  return exportFields
    ? { ...query, columns: [...new Set(shown.flatMap(({ key }) => exportFields(key)))] }
    : query
}

function command(label: string, words: string, run: () => void): Command {
  return { id: label, group: 'This page', label, words, run }
}
