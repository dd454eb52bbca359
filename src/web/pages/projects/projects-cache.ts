import { infiniteQueryOptions } from '@tanstack/react-query'
import type { ListProjects } from '#domains/projects/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { toQuery, type ListSearch } from '../../ui/record-list/search.ts'
import { projectsShape } from './search.ts'

const PAGE_SIZE = 50

export function projectsQuery(search: ListSearch) {
  const filters = toQuery<ListProjects>(projectsShape, search)
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.projects, 'list', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/crm/projects', {
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}
