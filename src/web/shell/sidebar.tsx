import { Kbd, UnstyledButton } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import type { Icon } from '@tabler/icons-react'
import IconAdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs'
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs'
import IconClockPlay from '@tabler/icons-react/dist/esm/icons/IconClockPlay.mjs'
import IconApps from '@tabler/icons-react/dist/esm/icons/IconApps.mjs'
import IconDevices from '@tabler/icons-react/dist/esm/icons/IconDevices.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs'
import IconUserShield from '@tabler/icons-react/dist/esm/icons/IconUserShield.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs'
import IconCheckbox from '@tabler/icons-react/dist/esm/icons/IconCheckbox.mjs'
import IconCoin from '@tabler/icons-react/dist/esm/icons/IconCoin.mjs'
import IconCoins from '@tabler/icons-react/dist/esm/icons/IconCoins.mjs'
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import IconFileInvoice from '@tabler/icons-react/dist/esm/icons/IconFileInvoice.mjs'
import IconForms from '@tabler/icons-react/dist/esm/icons/IconForms.mjs'
import IconInbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs'
import IconWebhook from '@tabler/icons-react/dist/esm/icons/IconWebhook.mjs'
import IconPhone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs'
import IconHeadset from '@tabler/icons-react/dist/esm/icons/IconHeadset.mjs'
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs'
import IconReceipt from '@tabler/icons-react/dist/esm/icons/IconReceipt.mjs'
import IconHome from '@tabler/icons-react/dist/esm/icons/IconHome.mjs'
import IconLayoutKanban from '@tabler/icons-react/dist/esm/icons/IconLayoutKanban.mjs'
import IconListCheck from '@tabler/icons-react/dist/esm/icons/IconListCheck.mjs'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import IconSitemap from '@tabler/icons-react/dist/esm/icons/IconSitemap.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconTemplate from '@tabler/icons-react/dist/esm/icons/IconTemplate.mjs'
import IconMailOff from '@tabler/icons-react/dist/esm/icons/IconMailOff.mjs'
import IconMailCog from '@tabler/icons-react/dist/esm/icons/IconMailCog.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import IconUsersGroup from '@tabler/icons-react/dist/esm/icons/IconUsersGroup.mjs'
import IconWorldSearch from '@tabler/icons-react/dist/esm/icons/IconWorldSearch.mjs'
import { LiveMark } from '../live/mark.tsx'
import { Bell } from '../notifications/bell.tsx'
import { fromFilterText, validateSearch, type LeadsSearch } from '../pages/leads/search.ts'
import { paths } from '../paths.ts'
import { useViews } from '../queries.ts'
import { parseSearch } from '../search-text.ts'
import { usePlaces, type Place } from './go.ts'
import { opened } from './opened.ts'
import { UserMenu } from './user-menu.tsx'
import { Wordmark } from './wordmark.tsx'
import classes from './sidebar.module.css'

const icons: Record<Place['key'], Icon> = {
  home: IconHome,
  tasks: IconCheckbox,
  leads: IconUsers,
  candidates: IconWorldSearch,
  pipeline: IconLayoutKanban,
  opportunities: IconCoin,
  accounts: IconBuilding,
  invoices: IconFileInvoice,
  projects: IconListCheck,
  imports: IconFileImport,
  forms: IconForms,
  workflows: IconSitemap,
  agents: IconHeadset,
  calls: IconPhone,
  meetings: IconCalendar,
  sequences: IconSend,
  outbox: IconMail,
  templates: IconTemplate,
  suppressions: IconMailOff,
  'outreach-settings': IconMailCog,
  'billing-settings': IconReceipt,
  'meeting-settings': IconCalendar,
  credits: IconCoins,
  'lead-settings': IconAdjustmentsHorizontal,
  members: IconUserShield,
  sessions: IconDevices,
  connected: IconPlugConnected,
  apps: IconApps,
  audit: IconHistory,
  inbox: IconInbox,
  deliveries: IconWebhook,
  keys: IconKey,
  jobs: IconClockPlay,
}

export function Sidebar({ onNavigate }: { onNavigate?: () => void }) {
  const places = usePlaces()
  const work = places.filter(({ section }) => section === 'work')
  const at = (key: Place['key']) => work.findIndex(place => place.key === key)
  const before = (key: Place['key']) => work.slice(0, at(key))
  const after = (key: Place['key']) => work.slice(at(key) + 1)
  return (
    <div className={classes.sidebar}>
      <div className={classes.top}>
        <Wordmark />
        <div className={classes.signs}>
          <LiveMark />
          {/* On a phone it stands in the bar above. */}
          {!onNavigate && <Bell />}
        </div>
      </div>
      <UnstyledButton className={classes.search} onClick={() => opened.set('palette')}>
        <IconSearch size={15} aria-hidden />
        <span>Search</span>
        <Kbd size="xs">Ctrl K</Kbd>
      </UnstyledButton>
      <div className={classes.links}>
        <nav aria-label="Main">
          <PlaceLinks label="Work" places={before('leads')} onNavigate={onNavigate} />
          <LeadLinks onNavigate={onNavigate} />
          <PlaceLinks label="Records" places={after('leads')} onNavigate={onNavigate} />
          <Section name="outreach" title="Outreach" places={places} onNavigate={onNavigate} />
          <Section name="settings" title="Settings" places={places} onNavigate={onNavigate} />
        </nav>
      </div>
      <UserMenu />
    </div>
  )
}

type SectionProps = {
  name: Place['section']
  title: string
  places: Place[]
  onNavigate: (() => void) | undefined
}

function Section({ name, title, places, onNavigate }: SectionProps) {
  const own = places.filter(({ section }) => section === name)
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

type PlaceLinksProps = {
  places: Place[]
  label?: string
  labelledBy?: string
  onNavigate: (() => void) | undefined
}

function PlaceLinks({ places, label, labelledBy, onNavigate }: PlaceLinksProps) {
  return (
    <ul aria-label={label} aria-labelledby={labelledBy}>
      {places.map(place => (
        <li key={place.key}>
          <Link
            to={place.to}
            className={classes.link}
            activeOptions={{ exact: place.key === 'home' }}
            onClick={onNavigate}
          >
            <Sign icon={icons[place.key]} />
            {place.label}
          </Link>
          {isViewed(place) && <ViewLinks place={place} onNavigate={onNavigate} />}
        </li>
      ))}
    </ul>
  )
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
            search={{ ...parseSearch(view.query), view: view.id } as object}
            className={classes.link}
            activeProps={{}}
            data-here={here === view.id || undefined}
            aria-current={here === view.id ? 'page' : undefined}
            data-nested
            title={view.name}
            onClick={onNavigate}
          >
            <Sign icon={view.shared ? IconUsersGroup : IconBookmark} size={15} />
            <span className={classes.label}>{view.name}</span>
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
  const search = onLeads ? validateSearch(here.search) : {}
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
          search={{ ...fromFilterText(view.query), view: view.id }}
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
  search: LeadsSearch
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
        <Sign icon={icon} size={nested ? 15 : 17} />
        <span className={classes.label}>{children}</span>
      </Link>
    </li>
  )
}

function Sign({ icon: Shape, size = 17 }: { icon: Icon; size?: number }) {
  return <Shape size={size} stroke={1.7} aria-hidden className={classes.sign} />
}
