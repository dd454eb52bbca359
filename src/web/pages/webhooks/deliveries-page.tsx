import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconFilterOff from 'icon:filter-off'
import IconSend from 'icon:send'
import { lazy, Suspense, useMemo, useState } from 'react'
import { paths } from '../../paths.ts'
import { useIsAtLeast } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { PageHead, Section } from '../../ui/page-head.tsx'
import { isFiltered, type ListSearch } from '../../ui/record-list/search.ts'
import { Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { deliveryListQuery, endpointsQuery } from './deliveries-cache.ts'
import { DeliveryFilters } from './delivery-filters.tsx'
import { DeliveryRow } from './delivery-row.tsx'
import { Endpoints } from './endpoints.tsx'
import { RowsWaiting, ShowOlder } from '../../ui/log-rows.tsx'
import { deliveriesSearch, type DeliveriesSearch } from './search.ts'
import pageClasses from '../../ui/page.module.css'
import rowsClasses from '../../ui/rows.module.css'

const DeliveryDrawer = lazy(() =>
  import('./delivery-drawer.tsx').then(({ DeliveryDrawer }) => ({ default: DeliveryDrawer })),
)
const ReplayFailed = lazy(() =>
  import('./replay-failed.tsx').then(({ ReplayFailed }) => ({ default: ReplayFailed })),
)

const route = getRouteApi('/settings/webhooks/deliveries')

/** The endpoints that receive events, and their deliveries. */
export function DeliveriesPage() {
  useTitle('Webhook deliveries')
  const raw = route.useSearch()
  const search = useMemo(() => deliveriesSearch(raw), [raw])
  const navigate = useNavigate()
  const canSend = useIsAtLeast('MEMBER')
  const [replaying, setReplaying] = useState(false)
  const { delivery, ...filters } = search
  const set = (next: DeliveriesSearch) => void navigate({ to: paths.deliveries, search: next, replace: true })
  useCommands(
    canSend
      ? [
          {
            id: 'replay-failed-deliveries',
            group: 'This page',
            label: 'Resend failed deliveries',
            words: 'send again replay retry webhook window',
            run: () => setReplaying(true),
          },
        ]
      : [],
  )
  return (
    <>
      <PageHead
        title="Webhook deliveries"
        actions={
          canSend && (
            <Button variant="default" onClick={() => setReplaying(true)}>
              Resend failed…
            </Button>
          )
        }
      />
      <div className={pageClasses.scroll}>
        <div className={`${pageClasses.body} ${pageClasses.apart}`}>
          <Section
            title="Endpoints"
            about="Each endpoint receives the events of the record it belongs to, signed with Standard Webhooks."
          >
            <Endpoints />
          </Section>
          <Section title="Deliveries" about="Pending, delivered and failed.">
            <Deliveries search={search} set={set} />
          </Section>
        </div>
      </div>
      <Suspense fallback={null}>
        {delivery && <DeliveryDrawer id={delivery} close={() => set(filters)} />}
        {replaying && <ReplayFailed search={search} close={() => setReplaying(false)} />}
      </Suspense>
    </>
  )
}

type Props = { search: DeliveriesSearch; set: (next: DeliveriesSearch) => void }

function Deliveries({ search, set }: Props) {
  const { delivery, ...filters } = search
  const endpoints = useQuery(endpointsQuery).data ?? []
  const names = new Map(endpoints.map(({ id, name }) => [id, name]))
  const query = useInfiniteQuery({ ...deliveryListQuery(search), placeholderData: keepPreviousData })
  const deliveries = query.data?.pages.flatMap(page => page.data) ?? []
  const filtered = isFiltered(filters)
  const filter = (next: ListSearch) => set({ ...next, ...(delivery && { delivery }) })
  const nothing = query.isSuccess && deliveries.length === 0
  return (
    <>
      <DeliveryFilters search={filters} set={filter} endpoints={endpoints} />
      {query.isError && deliveries.length === 0 && (
        <Fault error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isPending && <RowsWaiting label="Loading deliveries" />}
      {nothing && !filtered && (
        <Empty icon={<IconSend size={28} stroke={1.4} />} title="No deliveries yet" compact>
          Events sent to your endpoints appear here.
        </Empty>
      )}
      {nothing && filtered && (
        <Empty
          icon={<IconFilterOff size={28} stroke={1.4} />}
          title="No matches"
          action={
            <Button variant="default" onClick={() => filter({})}>
              Clear filters
            </Button>
          }
          compact
        >
          No deliveries match these filters.
        </Empty>
      )}
      {deliveries.length > 0 && (
        <ul className={rowsClasses.rows} aria-label="Deliveries">
          {deliveries.map(each => (
            <DeliveryRow
              key={each.id}
              delivery={each}
              to={names.get(each.endpoint_id)}
              search={search}
              isOpen={each.id === delivery}
            />
          ))}
        </ul>
      )}
      <ShowOlder query={query} />
    </>
  )
}
