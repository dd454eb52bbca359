import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import type { ProjectsSearch } from './search.ts'

const PAGE_SIZE = 50

export function projectsQuery({ q, status, trashed }: ProjectsSearch) {
  const filters = { ...(q && { q }), ...(status && { status: [status] }), ...(trashed && { trashed }) }
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
