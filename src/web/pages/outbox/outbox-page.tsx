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
import { Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { NoOutreach } from '../../records/sequences/no-outreach.tsx'
import { RowsWaiting, ShowOlder } from '../../ui/log-rows.tsx'
import { Banners } from './banners.tsx'
import { Held } from './held.tsx'
import { MessageRow } from './message-row.tsx'
import { messagesQuery } from './outbox-cache.ts'
import { OutboxFilters } from './outbox-filters.tsx'
import {
  isFiltered,
  outboxSearch,
  shownTab,
  tabs,
  type OutboxSearch,
  type Tab,
} from '../../records/enrolments/search.ts'
import { tabWords } from '../../records/enrolments/words.ts'
import tabsClasses from '../../ui/tabs.module.css'
import pageClasses from '../../ui/page.module.css'
import rowsClasses from '../../ui/rows.module.css'

const MessageDrawer = lazy(() =>
  import('./message-drawer.tsx').then(({ MessageDrawer }) => ({ default: MessageDrawer })),
)

const route = getRouteApi('/outbox')

/** What goes out to leads, what waits and why, and what became of the rest. */
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
  const tab = shownTab(search)
  const set = (next: OutboxSearch) => void navigate({ to: paths.outbox, search: next, replace: true })
  const put = (change: { [K in keyof OutboxSearch]: OutboxSearch[K] | undefined }) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined)
    set(Object.fromEntries(next) as OutboxSearch)
  }
  const reset = () => set({ ...(search.show && { show: search.show }) })
  return (
    <>
      <PageHead title="Outbox" />
      <Banners />
      <Tabs search={rest} tab={tab} />
      <div className={pageClasses.scroll}>
        <OutboxFilters search={search} put={put} reset={reset} isFiltered={isFiltered(search)} />
        <div className={pageClasses.body}>
          {tab === 'waiting' && <Held search={search} set={held => put({ held })} />}
          {tab === 'waiting' && messages.length > 0 && (
            <h2 className={pageClasses.heading}>Written, to be sent</h2>
          )}
          {query.isError && messages.length === 0 && (
            <Fault error={query.error} retry={() => void query.refetch()} />
          )}
          {query.isPending && <RowsWaiting label="Loading the messages" />}
          {query.isSuccess && messages.length === 0 && (
            <Nothing tab={tab} reset={isFiltered(search) ? reset : undefined} />
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
    <nav className={tabsClasses.tabs} aria-label="Parts of the outbox">
      {tabs.map(each => (
        <Link
          key={each}
          to={patterns.outbox}
          search={{ ...search, show: each }}
          className={tabsClasses.tab}
          activeProps={{}}
          // Otherwise the address without a part counts as active in all of them.
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

/** On a phone not all of them fit: the one that is shown does. */
function inSight(tab: HTMLAnchorElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

function Nothing({ tab, reset }: { tab: Tab; reset: (() => void) | undefined }) {
  if (reset)
    return (
      <Empty
        icon={<IconFilterOff size={30} stroke={1.4} />}
        title="Nothing matches"
        action={
          <Button variant="default" onClick={reset}>
            Reset the filters
          </Button>
        }
      >
        No message fits these filters.
      </Empty>
    )
  const { title, about } = nothing[tab]
  return (
    <Empty
      icon={<IconMail size={30} stroke={1.4} />}
      title={title}
      action={
        tab === 'waiting' || tab === 'all' ? (
          <LinkButton variant="default" to={paths.sequences}>
            Open the sequences
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
    title: 'Nothing waits to be sent',
    about: 'A message is written when the step of its sequence falls due.',
  },
  sent: { title: 'Nothing sent yet', about: 'What was handed over to a mail or SMS server stands here.' },
  failed: { title: 'Nothing failed', about: 'What a server refused stands here, with its reason.' },
  unknown: {
    title: 'Nothing unknown',
    about: 'When a connection breaks at the wrong moment, nobody knows whether a message was sent.',
  },
  returned: {
    title: 'Nothing came back',
    about: 'Mails that bounced, and those their readers marked as spam, stand here.',
  },
  all: { title: 'No messages yet', about: 'Mails and text messages of your sequences stand here.' },
}
