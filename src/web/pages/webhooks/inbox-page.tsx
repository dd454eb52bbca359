import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconFilterOff from 'icon:filter-off'
import { lazy, Suspense, useMemo, useState } from 'react'
import { paths } from '../../paths.ts'
import { useIsAtLeast } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { isFiltered, type ListSearch } from '../../ui/record-list/search.ts'
import { Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { AddressesDialog } from './addresses.tsx'
import { InboxFilters } from './inbox-filters.tsx'
import { inboxListQuery } from './inbox-cache.ts'
import { InboxRow } from './inbox-row.tsx'
import { NothingCame } from './nothing-came.tsx'
import { RowsWaiting, ShowOlder } from '../../ui/log-rows.tsx'
import { inboxSearch, type InboxSearch } from './search.ts'
import pageClasses from '../../ui/page.module.css'
import rowsClasses from '../../ui/rows.module.css'

const InboxDrawer = lazy(() =>
  import('./inbox-drawer.tsx').then(({ InboxDrawer }) => ({ default: InboxDrawer })),
)
const ReplayTime = lazy(() => import('./replay-time.tsx').then(({ ReplayTime }) => ({ default: ReplayTime })))

const route = getRouteApi('/settings/webhooks/inbox')

/** The events that providers sent, and how they were handled. */
export function InboxPage() {
  useTitle('Webhook inbox')
  const raw = route.useSearch()
  const search = useMemo(() => inboxSearch(raw), [raw])
  const navigate = useNavigate()
  const isAdmin = useIsAtLeast('ADMIN')
  const [doing, setDoing] = useState<'replay' | 'addresses'>()
  const query = useInfiniteQuery({ ...inboxListQuery(search), placeholderData: keepPreviousData })
  const events = query.data?.pages.flatMap(page => page.data) ?? []
  const { event, ...filters } = search
  const filtered = isFiltered(filters)
  const set = (next: InboxSearch) => void navigate({ to: paths.inbox, search: next, replace: true })
  const filter = (next: ListSearch) => set({ ...next, ...(event && { event }) })
  const close = () => setDoing(undefined)
  const nothing = query.isSuccess && events.length === 0
  useCommands([
    {
      id: 'webhook-addresses',
      group: 'This page',
      label: 'Endpoint URLs',
      words: 'webhook addresses providers secret',
      run: () => setDoing('addresses'),
    },
    ...(isAdmin
      ? [
          {
            id: 'replay-inbox',
            group: 'This page' as const,
            label: 'Replay events',
            words: 'again time window',
            run: () => setDoing('replay'),
          },
        ]
      : []),
  ])

  return (
    <>
      <PageHead
        title="Webhook inbox"
        actions={
          !(nothing && !filtered) && (
            <>
              <Button variant="default" onClick={() => setDoing('addresses')}>
                Endpoint URLs
              </Button>
              {isAdmin && (
                <Button variant="default" onClick={() => setDoing('replay')}>
                  Replay events…
                </Button>
              )}
            </>
          )
        }
      />
      <div className={pageClasses.scroll}>
        <InboxFilters search={filters} set={filter} />
        <div className={pageClasses.body}>
          {query.isError && events.length === 0 && (
            <Fault error={query.error} retry={() => void query.refetch()} />
          )}
          {query.isPending && <RowsWaiting label="Loading inbox" />}
          {nothing && !filtered && <NothingCame />}
          {nothing && filtered && (
            <Empty
              icon={<IconFilterOff size={30} stroke={1.4} />}
              title="No matches"
              action={
                <Button variant="default" onClick={() => filter({})}>
                  Clear filters
                </Button>
              }
            >
              No events match these filters.
            </Empty>
          )}
          {events.length > 0 && (
            <ul className={rowsClasses.rows} aria-label="Events">
              {events.map(each => (
                <InboxRow key={each.id} event={each} search={search} isOpen={each.id === event} />
              ))}
            </ul>
          )}
          <ShowOlder query={query} />
        </div>
      </div>
      <Suspense fallback={null}>
        {event && <InboxDrawer id={event} close={() => set(filters)} />}
        {doing === 'replay' && <ReplayTime search={search} close={close} />}
      </Suspense>
      {doing === 'addresses' && <AddressesDialog close={close} />}
    </>
  )
}
