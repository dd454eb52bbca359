import { searchOf, type ListSearch, type SearchShape } from '../../ui/record-list/search.ts'

export const tabs = ['own', 'sales', 'claimed'] as const
export type Tab = (typeof tabs)[number]

/** The search parameters of the agents page: tab and filters. */
export type AgentsSearch = ListSearch & { tab?: Exclude<Tab, 'own'> }

/** The list has one order. */
export const agentsShape: SearchShape = {
  sorts: [],
  defaultSort: '-updated_at',
  lists: {},
  flags: ['listed'],
}

/** Whatever the URL contains, only what the API understands gets through. */
export function agentsSearch(raw: Record<string, unknown>): AgentsSearch {
  const tab = tabs.find(each => each === raw.tab)
  return tab && tab !== 'own' ? { tab } : searchOf(agentsShape, raw)
}

export const agentTabs = ['conversation', 'tools', 'phone', 'calling', 'sale', 'versions'] as const
export type AgentTab = (typeof agentTabs)[number]

/** The search parameters of an agent's page: its tab. */
export type AgentSearch = { tab?: Exclude<AgentTab, 'conversation'> }

export function agentSearch(raw: Record<string, unknown>): AgentSearch {
  const tab = agentTabs.find(each => each === raw.tab)
  return tab && tab !== 'conversation' ? { tab } : {}
}
