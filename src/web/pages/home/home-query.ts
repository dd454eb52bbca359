import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'

/** The whole page in one answer. `until` is the end of the person's day, so tomorrow asks anew. */
export function homeQuery(until: string) {
  return queryOptions({
    queryKey: [...cacheKeys.home, until],
    queryFn: ({ signal }) => api('GET /api/crm/home', { query: { until }, signal }),
    // Dead jobs and unsent mail come without a word on the stream.
    refetchInterval: 60_000,
    staleTime: 10_000,
  })
}
