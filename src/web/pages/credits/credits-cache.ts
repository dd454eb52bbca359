import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import type { CreditsSearch } from './search.ts'

const PAGE_SIZE = 50

export function entriesQuery(search: CreditsSearch) {
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.credits, 'entries', search],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/credits/entries', {
        query: { ...search, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}
