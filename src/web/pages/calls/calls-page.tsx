import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import IconFilterOff from 'icon:filter-off'
import IconPhone from 'icon:phone'
import { lazy, Suspense, useMemo } from 'react'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { useAsked } from '../../shell/asked.ts'
import { close } from '../../ui/opened.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { isFiltered, type ListSearch } from '../../ui/record-list/search.ts'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { RowsWaiting, ShowOlder } from '../../ui/log-rows.tsx'
import { CallFilters } from './call-filters.tsx'
import { CallRow } from './call-row.tsx'
import { callListQuery, liveCallsQuery } from '../../records/calls/calls-cache.ts'
import { LineNote } from './line-note.tsx'
import { LiveCalls } from './live-calls.tsx'
import { callsSearch, tabs, type Tab } from '../../records/calls/search.ts'
import tabsClasses from '../../ui/tabs.module.css'
import pageClasses from '../../ui/page.module.css'
import rowsClasses from '../../ui/rows.module.css'

const CallDialog = lazy(() =>
  import('../../records/calls/call-dialog.tsx').then(({ CallDialog }) => ({ default: CallDialog })),
)
const Numbers = lazy(() => import('./numbers.tsx').then(({ Numbers }) => ({ default: Numbers })))

const route = getRouteApi('/calls')

/** Live calls, past calls and agent performance. */
export function CallsPage() {
  useTitle('Calls')
  const raw = route.useSearch()
  const search = useMemo(() => callsSearch(raw), [raw])
  const navigate = useNavigate()
  const canCall = useCan('softphone:control')
  const [isAsked, ask] = useAsked('new-call')
  const { tab = 'calls', ...filters } = search
  const set = (next: ListSearch) =>
    void navigate({
      to: paths.calls,
      search: { ...(tab !== 'calls' && { tab }), ...next },
      replace: true,
    })
  return (
    <>
      <PageHead
        title="Calls"
        actions={
          canCall && (
            <Button leftSection={<IconPhone size={16} />} onClick={ask}>
              Call a lead
            </Button>
          )
        }
      />
      <Tabs tab={tab} />
      <LineNote />
      {tab === 'calls' && <List search={filters} set={set} ask={canCall ? ask : undefined} />}
      {tab === 'numbers' && (
        <Suspense fallback={<NumbersWaiting />}>
          <Numbers search={filters} set={set} />
        </Suspense>
      )}
      {isAsked && canCall && (
        <Suspense fallback={null}>
          <CallDialog close={close} />
        </Suspense>
      )}
    </>
  )
}

const names: Record<Tab, string> = { calls: 'Calls', numbers: 'Agent performance' }

function Tabs({ tab }: { tab: Tab }) {
  return (
    <nav className={tabsClasses.tabs} aria-label="Calls sections">
      {tabs.map(each => (
        <Link
          key={each}
          to={paths.calls}
          search={each === 'calls' ? {} : { tab: each }}
          className={tabsClasses.tab}
          activeProps={{}}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={each === tab ? 'page' : undefined}
        >
          {names[each]}
        </Link>
      ))}
    </nav>
  )
}

type ListProps = {
  search: ListSearch
  set: (next: ListSearch) => void
  ask: (() => void) | undefined
}

function List({ search, set, ask }: ListProps) {
  const live = useQuery(liveCallsQuery)
  const query = useInfiniteQuery({ ...callListQuery(search), placeholderData: keepPreviousData })
  const filtered = isFiltered(search)
  const above = new Set(live.data?.data.map(({ id }) => id))
  const calls = query.data?.pages.flatMap(page => page.data)
  // Without filters, live calls are shown above and not repeated.
  const shown = filtered ? calls : calls?.filter(({ id }) => !above.has(id))
  const reset = () => set({})
  return (
    <div className={pageClasses.scroll}>
      {!filtered && live.data && live.data.data.length > 0 && (
        <LiveCalls calls={live.data.data} hasMore={live.data.next_cursor !== null} />
      )}
      <CallFilters search={search} set={set} />
      <div className={pageClasses.body}>
        {query.isError && !calls && <Fault error={query.error} retry={() => void query.refetch()} />}
        {query.isPending && <RowsWaiting label="Loading calls" />}
        {shown?.length === 0 && !query.hasNextPage && (above.size === 0 || filtered) && (
          <Nothing reset={filtered ? reset : undefined} ask={ask} />
        )}
        {shown && shown.length > 0 && (
          <ul className={rowsClasses.rows} aria-label="Calls" aria-busy={query.isPlaceholderData}>
            {shown.map(call => (
              <CallRow key={call.id} call={call} />
            ))}
          </ul>
        )}
        <ShowOlder query={query} />
      </div>
    </div>
  )
}

function Nothing({ reset, ask }: { reset: (() => void) | undefined; ask: (() => void) | undefined }) {
  if (reset)
    return (
      <Empty
        icon={<IconFilterOff size={30} stroke={1.4} />}
        title="No matches"
        action={
          <Button variant="default" onClick={reset}>
            Clear filters
          </Button>
        }
      >
        No calls match these filters.
      </Empty>
    )
  return (
    <Empty
      icon={<IconPhone size={30} stroke={1.4} />}
      title="No calls yet"
      action={ask && <Button onClick={ask}>Call a lead</Button>}
    >
      Let an agent call a lead and follow along. Incoming and logged calls appear here too.
    </Empty>
  )
}

function NumbersWaiting() {
  return (
    <div className={pageClasses.body} role="status" aria-busy aria-label="Loading agent performance">
      <Bar width="100%" height={240} />
    </div>
  )
}
