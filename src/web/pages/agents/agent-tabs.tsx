import { Link } from '@tanstack/react-router'
import { patterns } from '../../paths.ts'
import { agentTabs, type AgentTab } from '../../records/agents/search.ts'
import tabsClasses from '../../ui/tabs.module.css'

const names: Record<AgentTab, string> = {
  conversation: 'Conversation',
  tools: 'Tools',
  phone: 'Phone',
  calling: 'Outbound calls',
  sale: 'For sale',
  versions: 'Versions',
}

/** The sections of an agent, each with its own URL. */
export function AgentTabs({ id, tab }: { id: string; tab: AgentTab }) {
  return (
    <nav className={tabsClasses.tabs} aria-label="Agent sections">
      {agentTabs.map(each => (
        <Link
          key={each}
          to={patterns.agent}
          params={{ id }}
          search={each === 'conversation' ? {} : { tab: each }}
          className={tabsClasses.tab}
          activeProps={{}}
          // Otherwise the URL without a tab counts as active in all of them.
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={each === tab ? 'page' : undefined}
        >
          {names[each]}
        </Link>
      ))}
    </nav>
  )
}
