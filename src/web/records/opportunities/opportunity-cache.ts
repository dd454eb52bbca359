import { queryOptions } from '@tanstack/react-query'
import type { Opportunity } from '#domains/opportunities/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { knownFromLists } from '../../ui/record-list/list-cache.ts'
import { upToDate } from '../../writes/up-to-date.ts'

export function opportunityQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.opportunities, 'one', id],
    queryFn: async ({ signal }) =>
      upToDate(await api('GET /api/crm/opportunities/:id', { params: { id }, signal }), knownOpportunity),
  })
}

/** The opportunity as any open list or page knows it. */
function knownOpportunity(id: string): Opportunity | undefined {
  return (
    queryClient.getQueryData<Opportunity>(opportunityQuery(id).queryKey) ??
    knownFromLists<Opportunity>(cacheKeys.opportunities, id)
  )
}

/** The living project that was made from an opportunity, if there is one. */
export function projectOfQuery(opportunity_id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.projects, 'of', opportunity_id],
    queryFn: async ({ signal }) => {
      const query = { opportunity_id: [opportunity_id], limit: 1 }
      return (await api('GET /api/crm/projects', { query, signal })).data[0] ?? null
    },
  })
}

export function patchOpportunity(id: string, fields: Partial<Opportunity>): void {
  queryClient.setQueryData<Opportunity>(
    opportunityQuery(id).queryKey,
    known => known && { ...known, ...fields },
  )
}

/** The stream tells us of our own changes too; this is for the time when it is broken. */
export function refreshOpportunities(): void {
  void queryClient.invalidateQueries({ queryKey: cacheKeys.opportunities })
  void queryClient.invalidateQueries({ queryKey: cacheKeys.leadBoard })
}
