import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'

const LIMIT = 200

export type AgentChoice = { id: string; name: string }

/** The agents that can be chosen to answer. */
const choicesQuery = queryOptions({
  queryKey: [...cacheKeys.agents, 'choices'],
  queryFn: async ({ signal }): Promise<AgentChoice[]> => {
    const { data } = await api('GET /api/voice/agents', { query: { limit: LIMIT }, signal })
    return data.map(({ id, name }) => ({ id, name })).toSorted((a, b) => a.name.localeCompare(b.name))
  },
})

/** Undefined while they are loaded. One that is chosen stays among them after it was deleted. */
export function useAgentChoices(chosen: string | null): AgentChoice[] | undefined {
  const agents = useQuery(choicesQuery).data
  if (!agents || chosen === null || agents.some(({ id }) => id === chosen)) return agents
  return [...agents, { id: chosen, name: 'Deleted agent' }]
}
