import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListWorkflows, Run, Workflow } from '#domains/workflows/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { toQuery, type ListSearch } from '../../ui/record-list/search.ts'
import { runsQuery, workflowsShape } from './search.ts'

const PAGE_SIZE = 50
const VERSIONS_PAGE_SIZE = 20
const CHOICES_LIMIT = 100
const CATALOG_KEPT_MS = 10 * 60_000
const LOOK_AGAIN_MIN_MS = 2_000
const LOOK_AGAIN_MAX_MS = 60_000

/** Triggers, actions and logic. Changes with the lead fields and the agents. */
export const catalogQuery = queryOptions({
  queryKey: cacheKeys.workflowCatalog,
  queryFn: ({ signal }) => api('GET /api/crm/workflows/catalog', { signal }),
  staleTime: CATALOG_KEPT_MS,
})

export function workflowListQuery(search: ListSearch) {
  const filters = toQuery<ListWorkflows>(workflowsShape, search)
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.workflows, 'list', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/crm/workflows', {
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}

/** Workflows that can be started manually. */
export function workflowChoicesQuery(q: string) {
  return queryOptions({
    queryKey: [...cacheKeys.workflows, 'choices', q],
    queryFn: async ({ signal }): Promise<Workflow[]> =>
      (
        await api('GET /api/crm/workflows', {
          query: { limit: CHOICES_LIMIT, sort: 'name', status: ['ACTIVE'], ...(q && { q }) },
          signal,
        })
      ).data,
    placeholderData: keepPreviousData,
  })
}

export function versionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.workflows, 'versions', id],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/crm/workflows/:id/versions', {
        params: { id },
        query: { limit: VERSIONS_PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}

/** The changes of a version; versions never change. */
export function changesQuery(id: string, version: number) {
  return queryOptions({
    queryKey: ['workflow-changes', id, version],
    queryFn: ({ signal }) =>
      api('GET /api/crm/workflows/:id/versions/:version/changes', {
        params: { id, version: String(version) },
        signal,
      }),
    staleTime: Infinity,
  })
}

export function runListQuery(id: string, search: ListSearch) {
  const filters = runsQuery(search)
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.workflowRuns, 'list', id, filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/crm/workflows/:id/runs', {
        params: { id },
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
    refetchInterval: ({ state }) => lookAgainIn(state.data?.pages.flatMap(({ data }) => data) ?? []),
  })
}

export function refreshRuns(): void {
  void queryClient.invalidateQueries({ queryKey: cacheKeys.workflowRuns })
}

/** Clients are not notified when a run completes, so visible runs are polled when they are due to continue. */
function lookAgainIn(runs: readonly Run[]): number {
  const going = runs.filter(({ status }) => status === 'RUNNING')
  const next = Math.min(...going.map(({ next_at }) => (next_at ? Date.parse(next_at) : 0)), Infinity)
  return Math.max(LOOK_AGAIN_MIN_MS, Math.min(LOOK_AGAIN_MAX_MS, next - Date.now()))
}
