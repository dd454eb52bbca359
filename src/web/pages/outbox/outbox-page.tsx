import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import IconFilterOff from 'icon:filter-off'
import IconMail from 'icon:mail'
import { lazy, Suspense, useMemo } from 'react'
import { paths, patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { isFiltered, without, type ListSearch } from '../../ui/record-list/search.ts'
import { Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { NoOutreach } from '../../records/sequences/no-outreach.tsx'
import { RowsWaiting, ShowOlder } from '../../ui/log-rows.tsx'
import { Banners } from './banners.tsx'
import { Held } from './held.tsx'
import { MessageRow } from './message-row.tsx'
import { messagesQuery } from './outbox-cache.ts'
import { OutboxFilters } from './outbox-filters.tsx'
import { outboxSearch, shownTab, tabs, type OutboxSearch, type Tab } from '../../records/enrolments/search.ts'
import { tabWords } from '../../records/enrolments/words.ts'
import tabsClasses from '../../ui/tabs.module.css'
import pageClasses from '../../ui/page.module.css'
import rowsClasses from '../../ui/rows.module.css'

const MessageDrawer = lazy(() =>
  import('./message-drawer.tsx').then(({ MessageDrawer }) => ({ default: MessageDrawer })),
)

const route = getRouteApi('/outbox')

/** Messages to leads: queued, held, sent and failed. */
export function OutboxPage() {
  useTitle('Outbox')
  return useCan('outreach:write') ? <Shown /> : <NoOutreach title="Outbox" />
}

function Shown() {
  const raw = route.useSearch()
  const search = useMemo(() => outboxSearch(raw), [raw])
  const navigate = useNavigate()
  const query = useInfiniteQuery({ ...messagesQuery(search), placeholderData: keepPreviousData })
  const messages = query.data?.pages.flatMap(page => page.data) ?? []
  const { message, ...rest } = search
  const { show, ...filters } = rest
  const tab = shownTab(search)
  const set = (next: OutboxSearch) => void navigate({ to: paths.outbox, search: next, replace: true })
  const filter = (next: ListSearch) => set({ ...(show && { show }), ...next, ...(message && { message }) })
  return (
    <>
      <PageHead title="Outbox" />
      <Banners />
      <Tabs search={rest} tab={tab} />
      <div className={pageClasses.scroll}>
        <OutboxFilters
          search={filters}
          set={filter}
          withHeld={tab === 'waiting' || filters.held !== undefined}
        />
        <div className={pageClasses.body}>
          {tab === 'waiting' && <Held search={search} />}
          {tab === 'waiting' && messages.length > 0 && <h2 className={pageClasses.heading}>Queued</h2>}
          {query.isError && messages.length === 0 && (
            <Fault error={query.error} retry={() => void query.refetch()} />
          )}
          {query.isPending && <RowsWaiting label="Loading messages" />}
          {query.isSuccess && messages.length === 0 && (
            <Nothing tab={tab} reset={isFiltered(filters) ? () => filter({}) : undefined} />
          )}
          {messages.length > 0 && (
            <ul className={rowsClasses.rows} aria-label="Messages" aria-busy={query.isPlaceholderData}>
              {messages.map(each => (
                <MessageRow key={each.id} message={each} search={rest} isOpen={each.id === message} />
              ))}
            </ul>
          )}
          <ShowOlder query={query} />
        </div>
      </div>
      {message && (
        <Suspense fallback={null}>
          <MessageDrawer id={message} close={() => set(rest)} />
        </Suspense>
      )}
    </>
  )
}

function Tabs({ search, tab }: { search: OutboxSearch; tab: Tab }) {
  return (
    <nav className={tabsClasses.tabs} aria-label="Outbox sections">
      {tabs.map(each => (
        <Link
          key={each}
          to={patterns.outbox}
          // Only the queue lists held enrolments.
          search={{ ...(each === 'waiting' ? search : without(search, 'held')), show: each }}
          className={tabsClasses.tab}
          activeProps={{}}
          // Otherwise every tab counts as active when the URL names none.
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={each === tab ? 'page' : undefined}
          ref={each === tab ? inSight : undefined}
        >
          {tabWords[each]}
        </Link>
      ))}
    </nav>
  )
}

/** Not all tabs fit on a phone: scrolls to the current one. */
function inSight(tab: HTMLAnchorElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

function Nothing({ tab, reset }: { tab: Tab; reset: (() => void) | undefined }) {
  if (reset)
    return (
      <Empty
        icon={<IconFilterOff size={30} stroke={1.4} />}
        title="No messages match these filters"
        action={
          <Button variant="default" onClick={reset}>
            Clear filters
          </Button>
        }
      />
    )
  const { title, about } = nothing[tab]
  return (
    <Empty
      icon={<IconMail size={30} stroke={1.4} />}
      title={title}
      action={
        tab === 'waiting' || tab === 'all' ? (
          <LinkButton variant="default" to={paths.sequences}>
            Go to sequences
          </LinkButton>
        ) : undefined
      }
    >
      {about}
    </Empty>
  )
}

const nothing: Record<Tab, { title: string; about: string }> = {
  waiting: {
    title: 'No messages queued',
    about: 'Messages appear here when a sequence step is due.',
  },
  sent: { title: 'No messages sent yet', about: 'Messages accepted by a mail or SMS server appear here.' },
  failed: {
    title: 'No failed messages',
    about: 'Messages rejected by a server appear here, with the reason.',
  },
  unknown: {
    title: 'No unknown outcomes',
    about: 'If the connection drops while sending, it is unclear whether the message was sent.',
  },
  returned: {
    title: 'No bounces or complaints',
    about: 'Emails that bounced or were marked as spam appear here.',
  },
  all: { title: 'No messages yet', about: 'Emails and text messages from your sequences appear here.' },
}
