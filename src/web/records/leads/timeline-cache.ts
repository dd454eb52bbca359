import type { InfiniteData, Query } from '@tanstack/react-query'
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { TimelineEntry } from '#domains/leads/contract.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'

const PAGE_SIZE = 50
const SOON_MS = 120

type Page = { data: TimelineEntry[]; next_cursor: string | null }

export function timelineQuery(id: string, types: string[]) {
  return infiniteQueryOptions({
    queryKey: ['timeline', id, types],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => page(id, types, pageParam, signal),
    getNextPageParam: (last: Page) => last.next_cursor ?? undefined,
  })
}

function page(id: string, types: string[], cursor: string, signal?: AbortSignal): Promise<Page> {
  const query = { limit: PAGE_SIZE, ...(types.length && { type: types }), ...(cursor && { cursor }) }
  return api('GET /api/crm/leads/:id/timeline', { params: { id }, query, ...(signal && { signal }) })
}

const waiting = new Map<string, ReturnType<typeof setTimeout>>()

/** Loads only the newest page and adds its new entries on top: older pages never change. */
export function refreshTimeline(id: string): void {
  if (queryClient.getQueryCache().findAll({ queryKey: ['timeline', id] }).length === 0) return
  clearTimeout(waiting.get(id))
  waiting.set(
    id,
    setTimeout(() => {
      waiting.delete(id)
      const open = queryClient.getQueryCache().findAll({ queryKey: ['timeline', id] })
      for (const query of open) void addNewest(id, query)
    }, SOON_MS),
  )
}

async function addNewest(id: string, query: Query): Promise<void> {
  const { queryKey } = query
  const askAgain = () => queryClient.invalidateQueries({ queryKey, exact: true })
  // A running request may have been read before the change and would overwrite it.
  const isUnderWay = () => query.state.fetchStatus === 'fetching'
  if (!query.isActive()) return askAgain()
  if (isUnderWay()) return refreshTimeline(id)
  try {
    const { data } = await page(id, (queryKey[2] ?? []) as string[], '')
    if (isUnderWay()) refreshTimeline(id)
    else addEntries(queryKey, data)
  } catch {
    await askAgain()
  }
}

/** A deal or a task of an unknown lead has changed: all visible timelines are refreshed. */
export function refreshOpenTimelines(): void {
  // The others are loaded again when they are next shown.
  void queryClient.invalidateQueries({ queryKey: ['timeline'], type: 'inactive', refetchType: 'none' })
  const open = queryClient.getQueryCache().findAll({ queryKey: ['timeline'], type: 'active' })
  for (const id of new Set(open.map(({ queryKey }) => String(queryKey[1])))) refreshTimeline(id)
}

export function addEntries(queryKey: readonly unknown[], entries: TimelineEntry[]): void {
  queryClient.setQueryData<InfiniteData<Page>>(queryKey, known => {
    const [first, ...older] = known?.pages ?? []
    if (!known || !first) return known
    const ids = new Set(first.data.map(entry => entry.id))
    const added = entries.filter(
      entry => !ids.has(entry.id) && !older.some(page => page.data.some(({ id }) => id === entry.id)),
    )
    if (added.length === 0) return known
    const data = [...added, ...first.data].sort(
      (a, b) => b.at.localeCompare(a.at) || b.id.localeCompare(a.id),
    )
    return { ...known, pages: [{ ...first, data }, ...older] }
  })
}
