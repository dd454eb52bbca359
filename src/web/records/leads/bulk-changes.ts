import { queryOptions } from '@tanstack/react-query'
import type { BulkJob, LeadChange } from '#domains/leads/contract.ts'
import type { LiveChange } from '#domains/live/contract.ts'
import { api } from '../../api.ts'
import { settled } from '../settled.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { createStore } from '../../ui/store.ts'
import { refreshLists } from './cache.ts'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { leadsQuery } from './search.ts'

const STORAGE_KEY = 'rapport.bulk-changes'
const ASK_AGAIN_MS = 2_000
const RUNNING_MAX = 20
const CHANGE_KEY = 'bulk-change'

export type What = { set: LeadChange } | { trashed: boolean }

/** Changes whose progress this tab shows, until their report is dismissed. Survives a reload. */
export const watched = createStore<readonly string[]>(read())

export const runningChangesQuery = queryOptions({
  queryKey: [...cacheKeys.bulkChanges, 'running'],
  queryFn: async () => {
    const query = { status: ['RUNNING' as const], limit: RUNNING_MAX }
    const { data } = await api('GET /api/crm/leads/bulk-changes', { query })
    for (const job of data) know(job)
    return data
  },
})

export function changeQuery(id: string) {
  return queryOptions({
    queryKey: [CHANGE_KEY, id],
    queryFn: () => api('GET /api/crm/leads/bulk-changes/:id', { params: { id } }),
    // The stream reports progress; this is the fallback while it is disconnected.
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? ASK_AGAIN_MS : false),
  })
}

/** Starts a change of all matching leads. */
export async function startChange(search: ListSearch, what: What): Promise<void> {
  const { sort: _sort, ...filter } = leadsQuery(search)
  know(await api('POST /api/crm/leads/bulk-changes', { body: { filter, ...what } }))
}

export async function cancelChange(id: string): Promise<void> {
  queryClient.setQueryData(
    [CHANGE_KEY, id],
    await api('POST /api/crm/leads/bulk-changes/:id/cancel', { params: { id } }),
  )
  await refreshLists()
}

export function forgetChange(id: string): void {
  watched.set(now => now.filter(each => each !== id))
  write()
}

const refreshSoon = settled(refreshLists)

/** Progress from the stream, which does not report the leads one by one. */
export function applyProgress({ type, subject, data }: LiveChange): void {
  if (type !== 'bulk_change.progressed') return
  queryClient.setQueryData<BulkJob>([CHANGE_KEY, subject.id], job => job && { ...job, ...data })
  refreshSoon()
}

function know(job: BulkJob): void {
  // A late response must not turn the progress back.
  queryClient.setQueryData<BulkJob>([CHANGE_KEY, job.id], known =>
    known && known.processed > job.processed ? known : job,
  )
  if (watched.get().includes(job.id)) return
  watched.set(now => [...now, job.id])
  write()
}

function read(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]')
  } catch {
    return []
  }
}

function write(): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(watched.get()))
  } catch {
    // Private windows may refuse; running changes are still found again.
  }
}
