import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { FormContent } from '#domains/forms/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { submissionFilters, type FormsSearch } from './search.ts'

const PAGE_SIZE = 50
const VERSIONS_PAGE_SIZE = 20

export function formsQuery({ q, trashed }: FormsSearch) {
  const filters = { ...(q && { q }), ...(trashed && { trashed }) }
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.forms, 'list', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/crm/forms', {
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}

export function versionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.forms, 'versions', id],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/crm/forms/:id/versions', {
        params: { id },
        query: { limit: VERSIONS_PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}

/** The hosted page for this content. */
export function previewQuery(content: FormContent) {
  return queryOptions({
    queryKey: ['form-preview', content],
    queryFn: ({ signal }) =>
      api('POST /api/crm/forms/preview', { body: content, changesNothing: true, signal }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
  })
}

export function submissionsQuery(id: string, search: ListSearch) {
  const filters = submissionFilters(search)
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.submissions, 'of', id, filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/crm/forms/:id/submissions', {
        params: { id },
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}

export function submissionQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.submissions, 'one', id],
    queryFn: ({ signal }) => api('GET /api/crm/submissions/:id', { params: { id }, signal }),
  })
}

export function refreshSubmissions(): void {
  void queryClient.invalidateQueries({ queryKey: cacheKeys.submissions })
}
