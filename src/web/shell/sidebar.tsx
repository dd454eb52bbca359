import { Kbd, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import type { Icon } from '../ui/icon.tsx'
import IconBookmark from 'icon:bookmark'
import IconChevronDown from 'icon:chevron-down'
import IconSearch from 'icon:search'
import IconTrash from 'icon:trash'
import IconUsers from 'icon:users'
import IconUsersGroup from 'icon:users-group'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { LiveMark } from '../live/mark.tsx'
import { Bell } from '../notifications/bell.tsx'
import { countInWords, inboxCountsQuery } from '../records/conversations/counts.ts'
import { leadsSearch, leadsShape } from '../records/leads/search.ts'
import { fromFilterText, type ListSearch } from '../ui/record-list/search.ts'
import { paths } from '../paths.ts'
import { useViews } from '../queries.ts'
import { parseSearch } from '../search-text.ts'
import { usePlaces, type Place } from './go.ts'
import { opened } from '../ui/opened.ts'
import { placeIcons } from './place-icons.ts'
import { UserMenu } from './user-menu.tsx'
import { Wordmark } from './wordmark.tsx'
import textClasses from '../ui/text.module.css'
import classes from './sidebar.module.css'

export function Sidebar({ onNavigate }: { onNavigate?: () => void }) {
  const places = usePlaces()
  const [, ...besideLeads] = placesOf(places, 'leads')
  return (
    <div className={classes.sidebar}>
      <div className={classes.top}>
        <Wordmark />
        <div className={classes.signs}>
          <LiveMark />
          {/* On phones it is in the top bar. */}
          {!onNavigate && <Bell />}
        </div>
      </div>
      <UnstyledButton className={classes.search} onClick={() => opened.set('palette')}>
        <IconSearch size={16} aria-hidden />
        <span>Search</span>
        <Kbd size="xs">Ctrl K</Kbd>
      </UnstyledButton>
      <div className={classes.links}>
        <nav aria-label="Main">
          <PlaceLinks label="Work" places={placesOf(places, 'day')} onNavigate={onNavigate} />
          <div className={classes.group}>
            <LeadLinks onNavigate={onNavigate} />
            <PlaceLinks label="Records" places={besideLeads} onNavigate={onNavigate} />
          </div>
          <Section name="sales" title="Sales" places={places} onNavigate={onNavigate} />
          <Section name="outreach" title="Outreach" places={places} onNavigate={onNavigate} />
          <Section name="automation" title="Automation" places={places} onNavigate={onNavigate} />
          <Settings places={placesOf(places, 'settings')} onNavigate={onNavigate} />
        </nav>
      </div>
      <UserMenu />
    </div>
  )
}

function placesOf(places: Place[], name: Place['section']): Place[] {
  return places.filter(({ section }) => section === name)
}

type SectionProps = {
  name: Place['section']
  title: string
  places: Place[]
  onNavigate: (() => void) | undefined
}

function Section({ name, title, places, onNavigate }: SectionProps) {
  const own = placesOf(places, name)
  if (own.length === 0) return null
  return (
    <>
      <p className={classes.heading} id={`${name}-heading`}>
        {title}
      </p>
      <PlaceLinks labelledBy={`${name}-heading`} places={own} onNavigate={onNavigate} />
    </>
  )
}

type FoldProps = Pick<SectionProps, 'places' | 'onNavigate'>

/** Many and rarely used: folded unless opened, or one of them is the current page. */
function Settings({ places, onNavigate }: FoldProps) {
  const isThere = useRouterState({
    select: ({ location }) => places.some(({ to }) => location.pathname.startsWith(to)),
  })
  // Entering unfolds them and leaving folds them, whatever was chosen before.
  return <SettingsFold key={String(isThere)} unfolded={isThere} places={places} onNavigate={onNavigate} />
}

function SettingsFold({ unfolded, places, onNavigate }: FoldProps & { unfolded: boolean }) {
  const [open, setOpen] = useState(unfolded)
  const list = useRef<HTMLUListElement>(null)
  // There may be little room below saved views: scroll what was unfolded into view.
  useEffect(() => {
    if (!open) return
    list.current?.scrollIntoView({ block: 'nearest' })
    list.current?.querySelector('[data-status="active"]')?.scrollIntoView({ block: 'nearest' })
  }, [open])
  return (
    <>
      <UnstyledButton
        className={`${classes.heading} ${classes.fold}`}
        id="settings-heading"
        aria-expanded={open}
        onClick={() => setOpen(now => !now)}
      >
        Settings
        <IconChevronDown size={14} aria-hidden />
      </UnstyledButton>
      {open && (
        <PlaceLinks labelledBy="settings-heading" places={places} onNavigate={onNavigate} list={list} />
      )}
    </>
  )
}

type PlaceLinksProps = {
  places: Place[]
  label?: string
  labelledBy?: string
  onNavigate: (() => void) | undefined
  list?: RefObject<HTMLUListElement | null>
}

function PlaceLinks({ places, label, labelledBy, onNavigate, list }: PlaceLinksProps) {
  return (
    <ul ref={list} aria-label={label} aria-labelledby={labelledBy}>
      {places.map(place => (
        <li key={place.key}>
          <Link
            to={place.to}
            className={classes.link}
            activeOptions={{ exact: place.key === 'home' }}
            onClick={onNavigate}
          >
            <Sign icon={placeIcons[place.key]} />
            {place.label}
            {place.key === 'conversations' && <InboxCount />}
          </Link>
          {isViewed(place) && <ViewLinks place={place} onNavigate={onNavigate} />}
        </li>
      ))}
    </ul>
  )
}

/** How many of the person's own conversations are open. */
function InboxCount() {
  const mine = useQuery(inboxCountsQuery).data?.mine ?? 0
  return mine > 0 && <span className={classes.count}>{countInWords(mine)}</span>
}

const viewed = ['candidates', 'tasks', 'opportunities', 'accounts', 'invoices'] as const
type Viewed = Extract<Place, { key: (typeof viewed)[number] }>

function isViewed(place: Place): place is Viewed {
  return (viewed as readonly string[]).includes(place.key)
}

/** The saved views of a list, below the list itself. */
function ViewLinks({ place, onNavigate }: { place: Viewed; onNavigate: (() => void) | undefined }) {
  const views = useViews(place.key)
  const here = useRouterState({
    select: ({ location }) =>
      location.pathname === place.to ? (location.search as { view?: string }).view : undefined,
  })
  if (views.length === 0) return null
  return (
    <ul aria-label={`Views of ${place.label.toLowerCase()}`}>
      {views.map(view => (
        <li key={view.id}>
          <Link
            to={place.to}
            search={{ ...parseSearch(view.query), view: view.id } as ListSearch}
            className={classes.link}
            activeProps={{}}
            data-here={here === view.id || undefined}
            aria-current={here === view.id ? 'page' : undefined}
            data-nested
            title={view.name}
            onClick={onNavigate}
          >
            <Sign icon={view.shared ? IconUsersGroup : IconBookmark} size={14} />
            <span className={textClasses.cut}>{view.name}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function LeadLinks({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  const views = useViews('leads')
  const here = useRouterState({ select: ({ location }) => location })
  const onLeads = here.pathname.startsWith(paths.leads)
  const search = onLeads ? leadsSearch(here.search) : {}
  return (
    <ul aria-label="Leads">
      <ListLink
        search={{}}
        icon={IconUsers}
        active={onLeads && !search.view && !search.trashed}
        onNavigate={onNavigate}
      >
        Leads
      </ListLink>
      {views.map(view => (
        <ListLink
          key={view.id}
          search={{ ...fromFilterText(leadsShape, view.query), view: view.id }}
          icon={view.shared ? IconUsersGroup : IconBookmark}
          active={search.view === view.id}
          onNavigate={onNavigate}
          nested
        >
          {view.name}
        </ListLink>
      ))}
      <ListLink
        search={{ trashed: true }}
        icon={IconTrash}
        active={!search.view && search.trashed === true}
        onNavigate={onNavigate}
        nested
      >
        Trash
      </ListLink>
    </ul>
  )
}

type ListLinkProps = {
  search: ListSearch
  icon: Icon
  active: boolean
  nested?: boolean
  children: string
  onNavigate: (() => void) | undefined
}

function ListLink({ search, icon, active, nested = false, children, onNavigate }: ListLinkProps) {
  return (
    <li>
      <Link
        to={paths.leads}
        search={search}
        className={classes.link}
        activeProps={{}}
        data-here={active || undefined}
        aria-current={active ? 'page' : undefined}
        data-nested={nested || undefined}
        title={children}
        onClick={onNavigate}
      >
        <Sign icon={icon} size={nested ? 14 : 16} />
        <span className={textClasses.cut}>{children}</span>
      </Link>
    </li>
  )
}

function Sign({ icon: Shape, size = 16 }: { icon: Icon; size?: number }) {
  return <Shape size={size} aria-hidden className={classes.sign} />
}
