import { queryOptions } from '@tanstack/react-query'
import type {
  MatchingOpportunities,
  Opportunity,
  OpportunityFilters,
} from '#domains/opportunities/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { filterText, toQuery, without, type ListSearch } from '../../ui/record-list/search.ts'
import { listSource } from '../../ui/record-list/source.ts'
import { opportunitiesShape } from './search.ts'

export const opportunityList = listSource<Opportunity, MatchingOpportunities>(
  cacheKeys.opportunities,
  opportunitiesShape,
  {
    page: (query, signal) => api('GET /api/crm/opportunities', { query, signal }),
    outline: (query, signal) => api('GET /api/crm/opportunities/outline', { query, signal }),
  },
)

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
