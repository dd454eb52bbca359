import { ActionIcon, Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery, type UseInfiniteQueryOptions } from '@tanstack/react-query'
import type { InfiniteData } from '@tanstack/react-query'
import IconDots from 'icon:dots'
import IconDownload from 'icon:download'
import IconFilterOff from 'icon:filter-off'
import IconTrash from 'icon:trash'
import { useCallback, useMemo, useRef, type ReactNode } from 'react'
import { useViews } from '../../queries.ts'
import { stringifySearch } from '../../search-text.ts'
import { useKeys } from '../keys.ts'
import { NARROW } from '../narrow.ts'
import { ButtonMenu, type MenuItem } from '../menu.tsx'
import { nextPage, type Paged } from '../next-page.ts'
import { PageHead } from '../page-head.tsx'
import { RestMissing } from '../rest-missing.tsx'
import { Empty, Fault } from '../states.tsx'
import { useTitle } from '../title.ts'
import { Cards } from './cards.tsx'
import { useChoosing, type Bulk } from './selection.ts'
import { useColumns } from './columns.ts'
import { BULK_PX } from './cursor.ts'
import { FilterBar } from './filter-bar.tsx'
import type { Listed, Page, RecordKind } from './list.ts'
import { ListSkeleton } from './list-skeleton.tsx'
import { clearedFilters, filterText, fromFilterText, isFiltered, toQuery, type ListSearch } from './search.ts'
import { Table } from './table.tsx'
import { ViewBar } from './view-bar.tsx'

type Props<T extends Listed> = {
  kind: RecordKind<T>
  search: ListSearch
  show: (search: ListSearch, replace?: boolean) => void
  query: UseInfiniteQueryOptions<Page<T>, Error, InfiniteData<Page<T>>, string[], string>
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
  const { kind, search, show, query, action, more = [], summary, none, bulk } = props
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const view = useViews(kind.kind).find(each => each.id === search.view)
  const { columns, shown, changed } = useColumns(kind.kind, kind.columns, kind.defaults, view)
  const list = useInfiniteQuery({ ...query, placeholderData: keepPreviousData })
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const records = useMemo(() => data?.pages.flatMap(page => page.data), [data])
  const searchField = useRef<HTMLInputElement>(null)
  const text = filterText(search)
  const trashed = search.trashed === true
  const name = trashed && !view ? `${kind.title} in trash` : (view?.name ?? kind.title)
  const loadsOn = hasNextPage && !isFetchNextPageError
  const loadMore = useCallback(() => {
    if (!isFetchingNextPage) void nextPage({ data, hasNextPage, isFetchingNextPage, fetchNextPage })
  }, [data, hasNextPage, isFetchingNextPage, fetchNextPage])

  /** Loads pages until there are that many records, or no more. */
  async function loadTo(length: number): Promise<T[]> {
    let loaded = records ?? []
    let at: Pick<typeof list, keyof Paged> = list
    let goesOn = hasNextPage
    while (goesOn && loaded.length < length) {
      const next = await nextPage(at)
      loaded = next.data?.pages.flatMap(page => page.data) ?? loaded
      goesOn = next.hasNextPage && !next.isError
      at = next
    }
    return loaded
  }
  const choosing = useChoosing(trashed ? undefined : bulk, records, kind.many, loadTo)

  useTitle(name)
  useKeys({
    '/': () => searchField.current?.focus(),
    ArrowDown: () => document.querySelector<HTMLElement>('[role="grid"]')?.focus(),
  })

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
                ...(kind.exportPath
                  ? [
                      {
                        label: 'Export CSV',
                        icon: <IconDownload size={16} />,
                        file: kind.exportPath + stringifySearch(toQuery(kind.shape, search)),
                      },
                    ]
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
        narrow={narrow === true}
        loaded={records?.length}
        hasMore={hasNextPage}
      />
      {summary}
      {list.isError && !records ? (
        <Fault error={list.error} retry={() => void list.refetch()} />
      ) : !records ? (
        <ListSkeleton
          label={`Loading ${kind.many}`}
          narrow={narrow === true}
          shown={shown}
          choosing={choosing !== undefined}
        />
      ) : records.length > 0 ? (
        narrow ? (
          <Cards
            kind={kind}
            records={records}
            hasMore={loadsOn}
            loadMore={loadMore}
            stale={list.isPlaceholderData}
            choosing={choosing}
          />
        ) : (
          <Table
            kind={kind}
            shown={shown}
            records={records}
            hasMore={loadsOn}
            loadMore={loadMore}
            text={text}
            search={search}
            show={next => show(next)}
            stale={list.isPlaceholderData}
            choosing={choosing}
          />
        )
      ) : isFiltered(search) ? (
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
      ) : trashed ? (
        <Empty icon={<IconTrash size={32} stroke={1.4} />} title="Trash is empty">
          Deleted {kind.many} stay here for 30 days and can be restored.
        </Empty>
      ) : (
        none
      )}
      {records && hasNextPage && isFetchNextPageError && (
        <RestMissing list={list} room={choosing && choosing.chosen.length > 0 ? BULK_PX : 0} />
      )}
      {choosing && choosing.chosen.length > 0 && bulk?.bar(choosing.chosen, choosing.choose)}
    </>
  )
}
