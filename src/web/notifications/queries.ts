import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query'
import type { Notification } from '#domains/notifications/contract.ts'
import { api } from '../api.ts'
import { cacheKeys } from '../queries.ts'
import { queryClient } from '../query-client.ts'
import { toastFault } from '../ui/toast.ts'

const PAGE_SIZE = 20

export const unreadQuery = queryOptions({
  queryKey: [...cacheKeys.notifications, 'count'],
  queryFn: async () => (await api('GET /api/notifications/count')).unread,
})

export const listQuery = infiniteQueryOptions({
  queryKey: [...cacheKeys.notifications, 'list'],
  queryFn: ({ pageParam }) =>
    api('GET /api/notifications', { query: { limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) } }),
  initialPageParam: '',
  getNextPageParam: ({ next_cursor }) => next_cursor,
})

let underWay = 0

/** Optimistic; the given ones, or all. */
export async function markRead(ids?: string[]): Promise<void> {
  const read = (row: Notification) => row.read_at === null && (!ids || ids.includes(row.id))
  const at = new Date().toISOString()
  // A pending response would be outdated.
  await queryClient.cancelQueries({ queryKey: cacheKeys.notifications })
  const shown = queryClient.getQueryData(listQuery.queryKey)?.pages.flatMap(({ data }) => data) ?? []
  const fewer = ids ? shown.filter(read).length : Infinity
  queryClient.setQueryData(unreadQuery.queryKey, count => Math.max(0, (count ?? 0) - fewer))
  queryClient.setQueryData(listQuery.queryKey, list =>
    patched(list, row => (read(row) ? { ...row, read_at: at } : row)),
  )
  underWay++
  try {
    await api('POST /api/notifications/read', { body: ids ? { ids } : { all: true } })
    tellOtherTabs()
  } catch (error) {
    toastFault(error, "Couldn't mark as read")
  }
  underWay--
  // A response requested meanwhile may be outdated. While more are being marked, wait.
  if (underWay === 0) refresh()
}

export function refresh(): void {
  void queryClient.invalidateQueries({ queryKey: cacheKeys.notifications })
}

// Read here is read in the other tabs too.
const otherTabs = new BroadcastChannel('rapport.notifications')
otherTabs.addEventListener('message', refresh)

function tellOtherTabs(): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  otherTabs.postMessage('read')
}

type Page = { data: Notification[]; next_cursor: string | null }

function patched(list: InfiniteData<Page> | undefined, patch: (row: Notification) => Notification) {
  return (
    list && { ...list, pages: list.pages.map(page => ({ ...page, data: page.data.map(row => patch(row)) })) }
  )
}
