import { queryOptions } from '@tanstack/react-query'
import type { ListOpportunities, Opportunity, OpportunityFilters } from '#domains/opportunities/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { listQuery } from '../../ui/record-list/list.ts'
import { filterText, toQuery, without, type ListSearch } from '../../ui/record-list/search.ts'
import { opportunitiesShape } from './search.ts'

export function opportunitiesQuery(search: ListSearch) {
  return listQuery<Opportunity>(cacheKeys.opportunities, filterText(search), (page, signal) =>
    api('GET /api/crm/opportunities', {
      query: { ...toQuery<ListOpportunities>(opportunitiesShape, search), ...page },
      signal,
    }),
  )
}

/** The totals of the list by stage. Sorting does not matter. */
export function sumsQuery(search: ListSearch) {
  const filters = without(search, 'sort', 'view')
  return queryOptions({
    queryKey: [...cacheKeys.opportunities, 'sums', filterText(filters)],
    queryFn: async ({ signal }) => {
      const { sort: _sort, ...query } = toQuery<OpportunityFilters & { sort?: string }>(
        opportunitiesShape,
        filters,
      )
      return (await api('GET /api/crm/opportunities/board', { query, signal })).columns
    },
  })
}
