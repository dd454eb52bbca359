import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Import, ImportChange } from '#domains/imports/contract.ts'
import type { LiveChange } from '#domains/live/contract.ts'
import { api } from '../../api.ts'
import { settled } from '../settled.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { toastFault } from '../../ui/toast.ts'
import { refreshLists } from '../leads/cache.ts'
import { inTurn } from '../in-turn.ts'

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
    queryKey: oneKey(id),
    queryFn: ({ signal }) => api('GET /api/crm/imports/:id', { params: { id }, signal }),
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

/** Shows the change at once; takes it back when the server refuses. */
export async function changeImport(before: Import, change: ImportChange): Promise<boolean> {
  const { id } = before
  putImport({ ...before, ...change })
  // An answer on its way would bring the old back, and so does giving it up.
  await queryClient.cancelQueries({ queryKey: oneKey(id) })
  putImport({ ...before, ...change })
  try {
    const save = () => api('PATCH /api/crm/imports/:id', { params: { id }, body: change })
    putImport(await inTurn(id, save))
    return true
  } catch (error) {
    putImport(before)
    toastFault(error, 'Not saved')
    return false
  }
}

export function putImport(run: Import): void {
  queryClient.setQueryData(oneKey(run.id), run)
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

export function refreshImports(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: cacheKeys.imports })
}

const refreshSoon = settled(refreshLists)

/** How far an import has come, as the stream tells it. Its leads are not told one by one. */
export function applyImport({ type, subject, data }: LiveChange): void {
  if (type !== 'import.progressed') return
  queryClient.setQueryData<Import>(oneKey(subject.id), run => run && { ...run, ...data })
  refreshSoon()
}

function oneKey(id: string) {
  return [...cacheKeys.imports, 'one', id]
}

function isUnderWay(run: Import | undefined): boolean {
  return run?.status === 'RUNNING' || run?.status === 'UPLOADING'
}
