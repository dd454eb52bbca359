import { infiniteQueryOptions } from '@tanstack/react-query'
import type { ListEntries } from '#domains/credits/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { filterQuery, type ListSearch } from '../../ui/record-list/search.ts'
import { creditsShape } from './search.ts'

const PAGE_SIZE = 50

export function entriesQuery(search: ListSearch) {
  const filters = filterQuery<ListEntries>(creditsShape, search)
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.credits, 'entries', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/credits/entries', {
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}
