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
    // The stream tells how far it is; this is for the time when it is broken.
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? ASK_AGAIN_MS : false),
  })
}

/** The rows as the present columns and settings would import them. */
export function previewQuery({ id, mapping, defaults }: Import) {
  return queryOptions({
    queryKey: [...cacheKeys.imports, 'preview', id, mapping, defaults],
    queryFn: ({ signal }) => api('GET /api/crm/imports/:id/preview', { params: { id }, signal }),
    placeholderData: keepPreviousData,
  })
}

/** A new one, or one that failed: it goes on where it stopped. */
export function startImport(id: string): Promise<Import> {
  return imports.act(id, () => api('POST /api/crm/imports/:id/start', { params: { id } }))
}

/** What was deleted is not shown again while the list is asked for. */
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

/** How far an import has come, as the stream tells it. Its leads are not told one by one. */
export function applyImport({ type, subject, data }: LiveChange): void {
  if (type !== 'import.progressed') return
  queryClient.setQueryData<Import>(imports.query(subject.id).queryKey, run => run && { ...run, ...data })
  refreshSoon()
}

function isUnderWay(run: Import | undefined): boolean {
  return run?.status === 'RUNNING' || run?.status === 'UPLOADING'
}
