import { queryOptions } from '@tanstack/react-query'
import type { Opportunity } from '#domains/opportunities/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'

export function opportunityQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.opportunities, 'one', id],
    queryFn: ({ signal }) => api('GET /api/crm/opportunities/:id', { params: { id }, signal }),
  })
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
