import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'

/** The whole page in one response. `until` is the end of the person's day, so tomorrow is a new query. */
export function homeQuery(until: string) {
  return queryOptions({
    queryKey: [...cacheKeys.home, until],
    queryFn: ({ signal }) => api('GET /api/crm/home', { query: { until }, signal }),
    // Failed jobs and unsent emails are not announced on the stream.
    refetchInterval: 60_000,
    staleTime: 10_000,
  })
}
