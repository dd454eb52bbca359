import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import IconDownload from 'icon:download'
import IconHeadset from 'icon:headset'
import IconPlus from 'icon:plus'
import { lazy, Suspense, useMemo, useState } from 'react'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { useAsked } from '../../shell/asked.ts'
import { close } from '../../ui/opened.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import { Listing, TrashButton } from '../../ui/list-page.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import type { Filter } from '../../ui/record-list/filters.ts'
import { isFiltered, without, type ListSearch } from '../../ui/record-list/search.ts'
import { Empty } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { AgentList } from './agent-list.tsx'
import { agentListQuery } from '../../records/agents/agents-cache.ts'
import { Claimed, Sales } from './deployments.tsx'
import { agentsSearch, tabs, type Tab } from '../../records/agents/search.ts'
import tabsClasses from '../../ui/tabs.module.css'

const NewAgent = lazy(() => import('./new-agent.tsx').then(({ NewAgent }) => ({ default: NewAgent })))
const ClaimDialog = lazy(() =>
  import('./claim-dialog.tsx').then(({ ClaimDialog }) => ({ default: ClaimDialog })),
)

const route = getRouteApi('/agents')

const filters: Filter[] = [{ kind: 'flag', name: 'listed', label: 'Listed', words: 'only' }]

/** The team's voice agents, its sales and its purchases. */
export function AgentsPage() {
  const raw = route.useSearch()
  const search = useMemo(() => agentsSearch(raw), [raw])
  const canWrite = useCan('voice:write')
  const canSeeSales = useCan('billing:read')
  const [isAsked, ask] = useAsked('new-agent')
  const [claiming, setClaiming] = useState(false)
  const tab = search.tab ?? 'own'
  useTitle('Agents')
  return (
    <>
      <PageHead
        title="Agents"
        actions={
          canWrite && (
            <>
              <Button
                variant="default"
                leftSection={<IconDownload size={16} />}
                onClick={() => setClaiming(true)}
              >
                Claim
              </Button>
              <Button leftSection={<IconPlus size={16} />} onClick={ask}>
                New agent
              </Button>
            </>
          )
        }
      />
      <Tabs tab={tab} canSeeSales={canSeeSales} />
      {tab === 'own' && <Own search={search} ask={canWrite ? ask : undefined} />}
      {tab === 'sales' && <Sales />}
      {tab === 'claimed' && <Claimed claim={canWrite ? () => setClaiming(true) : undefined} />}
      <Suspense fallback={null}>
        {isAsked && <NewAgent close={close} />}
        {claiming && <ClaimDialog close={() => setClaiming(false)} />}
      </Suspense>
    </>
  )
}

const names: Record<Tab, string> = { own: 'Agents', sales: 'Sold', claimed: 'Claimed' }

function Tabs({ tab, canSeeSales }: { tab: Tab; canSeeSales: boolean }) {
  return (
    <nav className={tabsClasses.tabs} aria-label="Agents sections">
      {tabs
        .filter(each => each !== 'sales' || canSeeSales)
        .map(each => (
          <Link
            key={each}
            to={paths.agents}
            search={each === 'own' ? {} : { tab: each }}
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

function Own({ search, ask }: { search: ListSearch; ask: (() => void) | undefined }) {
  const navigate = useNavigate()
  const query = useInfiniteQuery({ ...agentListQuery(search), placeholderData: keepPreviousData })
  const set = (next: ListSearch) => void navigate({ to: paths.agents, search: next, replace: true })
  return (
    <>
      <ListBar label="Agent filters" searchLabel="Search agents" filters={filters} search={search} set={set}>
        <TrashButton
          trashed={search.trashed === true}
          set={trashed => set(trashed ? { ...search, trashed } : without(search, 'trashed'))}
        />
      </ListBar>
      <Listing
        query={query}
        waiting="Loading agents"
        nothing={<Nothing search={search} ask={ask} clear={() => set({})} />}
      >
        {(agents, more) => <AgentList agents={agents} trashed={search.trashed === true} more={more} />}
      </Listing>
    </>
  )
}

type NothingProps = { search: ListSearch; ask: (() => void) | undefined; clear: () => void }

function Nothing({ search, ask, clear }: NothingProps) {
  const filtered = isFiltered(search)
  if (filtered || search.trashed) {
    return (
      <Empty
        title={filtered ? 'No matches' : 'Trash is empty'}
        action={
          <Button variant="default" onClick={clear}>
            Show all agents
          </Button>
        }
      />
    )
  }
  return (
    <Empty
      icon={<IconHeadset size={32} stroke={1.4} />}
      title="No agents yet"
      action={ask && <Button onClick={ask}>New agent</Button>}
    >
      An agent talks on the phone with your instructions, voice and tools. It answers its own number and calls
      your leads.
    </Empty>
  )
}
