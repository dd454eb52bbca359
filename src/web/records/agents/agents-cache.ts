import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Agent, AgentVersion, Deployment, ListAgents } from '#domains/agents/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { filterText, toQuery, type ListSearch } from '../../ui/record-list/search.ts'
import { agentsShape } from './search.ts'

const PAGE_SIZE = 50

export function agentListQuery(search: ListSearch) {
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.agents, 'list', filterText(search)],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }): Promise<{ data: Agent[]; next_cursor: string | null }> =>
      api('GET /api/voice/agents', {
        query: {
          ...toQuery<ListAgents>(agentsShape, search),
          limit: PAGE_SIZE,
          ...(pageParam && { cursor: pageParam }),
        },
        signal,
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
}

/** What a model is told, and the endpoints of the agent's custom tools. */
export function sessionQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.agents, 'session', id],
    queryFn: ({ signal }) => api('GET /api/voice/agents/:id/session', { params: { id }, signal }),
  })
}

export function versionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.agents, 'versions', id],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }): Promise<{ data: AgentVersion[]; next_cursor: string | null }> =>
      api('GET /api/voice/agents/:id/versions', {
        params: { id },
        query: { limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
}

/** Sold agents, and purchased ones that were claimed. */
export const salesQuery = deploymentsQuery(cacheKeys.sales, 'GET /api/agents/sales')
export const claimedQuery = deploymentsQuery(cacheKeys.deployments, 'GET /api/agents/deployments')

function deploymentsQuery(
  queryKey: readonly string[],
  path: 'GET /api/agents/sales' | 'GET /api/agents/deployments',
) {
  return infiniteQueryOptions({
    queryKey,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }): Promise<{ data: Deployment[]; next_cursor: string | null }> =>
      api(path, { query: { limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) }, signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
}
