import type { Lead } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { listSource } from '../../ui/record-list/source.ts'
import { leadsShape, type LeadsQuery } from './search.ts'

export const leadList = listSource<Lead, LeadsQuery>(['leads'], leadsShape, {
  page: (query, signal) => api('GET /api/crm/leads', { query, signal }),
  outline: (query, signal) => api('GET /api/crm/leads/outline', { query, signal }),
})

/** The order or number of leads may have changed. A single lead does not depend on others. */
export function refreshLists(): Promise<void> {
  return queryClient.invalidateQueries({
    queryKey: leadList.key,
    predicate: ({ queryKey: [, what] }) => what !== 'one',
  })
}
