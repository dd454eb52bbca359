import type { AgentChange, Agent } from '#domains/agents/contract.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { recordStore } from '../store.ts'

export const agents = recordStore<Agent, AgentChange>({
  path: '/api/voice/agents',
  keys: [cacheKeys.agents],
  one: 'agent',
  nameOf: ({ name }) => name,
  refresh: () => queryClient.invalidateQueries({ queryKey: cacheKeys.agents }),
})
