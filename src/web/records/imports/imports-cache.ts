import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Import } from '#domains/imports/contract.ts'
import type { LiveChange } from '#domains/live/contract.ts'
import { api } from '../../api.ts'
import { settled } from '../settled.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { refreshLists } from '../leads/cache.ts'
import { imports } from './store.ts'

const ASK_AGAIN_MS = 2_000
const PAGE_SIZE = 50

export const importsQuery = infiniteQueryOptions({
  queryKey: [...cacheKeys.imports, 'list'],
  initialPageParam: '',
  queryFn: ({ pageParam, signal }) =>
    api('GET /api/crm/imports', {
      query: { limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
      signal,
    }),
  getNextPageParam: last => last.next_cursor ?? undefined,
})

export function importQuery(id: string) {
  return queryOptions({
    ...imports.query(id),
    // Progress comes by the live stream; this is for when that is down.
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? ASK_AGAIN_MS : false),
  })
}

/** The rows as the current mapping and defaults would import them. */
export function previewQuery({ id, mapping, defaults }: Import) {
  return queryOptions({
    queryKey: [...cacheKeys.imports, 'preview', id, mapping, defaults],
    queryFn: ({ signal }) => api('GET /api/crm/imports/:id/preview', { params: { id }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Starts a new import, or resumes one that failed. */
export function startImport(id: string): Promise<Import> {
  return imports.act(id, () => api('POST /api/crm/imports/:id/start', { params: { id } }))
}

/** Removes a deleted import from the list until it is reloaded. */
export function dropImport(id: string): void {
  queryClient.setQueryData(
    importsQuery.queryKey,
    list =>
      list && {
        ...list,
        pages: list.pages.map(page => ({ ...page, data: page.data.filter(run => run.id !== id) })),
      },
  )
}

const refreshSoon = settled(refreshLists)

/** Applies the progress of an import from the live stream, which does not report its leads one by one. */
export function applyImport({ type, subject, data }: LiveChange): void {
  if (type !== 'import.progressed') return
  queryClient.setQueryData<Import>(imports.query(subject.id).queryKey, run => run && { ...run, ...data })
  refreshSoon()
}

function isUnderWay(run: Import | undefined): boolean {
  return run?.status === 'RUNNING' || run?.status === 'UPLOADING'
}
