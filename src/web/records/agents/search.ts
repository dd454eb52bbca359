export const tabs = ['own', 'sales', 'claimed'] as const
export type Tab = (typeof tabs)[number]

/** The search parameters of the agents page: tab and filters. */
export type AgentsSearch = { tab?: Exclude<Tab, 'own'>; q?: string; listed?: true; trashed?: true }

const Q_LENGTH_MAX = 200

/** Whatever the URL contains, only what the API understands gets through. */
export function agentsSearch(raw: Record<string, unknown>): AgentsSearch {
  const tab = tabs.find(each => each === raw.tab)
  if (tab && tab !== 'own') return { tab }
  const q = String(raw.q ?? '').slice(0, Q_LENGTH_MAX)
  return {
    ...(q && { q }),
    ...(String(raw.listed) === 'true' && { listed: true as const }),
    ...(String(raw.trashed) === 'true' && { trashed: true as const }),
  }
}

export const agentTabs = ['conversation', 'tools', 'phone', 'calling', 'sale', 'versions'] as const
export type AgentTab = (typeof agentTabs)[number]

/** The search parameters of an agent's page: its tab. */
export type AgentSearch = { tab?: Exclude<AgentTab, 'conversation'> }

export function agentSearch(raw: Record<string, unknown>): AgentSearch {
  const tab = agentTabs.find(each => each === raw.tab)
  return tab && tab !== 'conversation' ? { tab } : {}
}
