import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { InboundEvent, InboundEventInFull, ReplayWindow } from '#domains/webhooks/contract.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { cacheKeys } from '../../queries.ts'
import { askAgainMs, askListAgainMs, hurry } from './polling.ts'
import { inboxQuery, type InboxSearch } from './search.ts'

const PAGE_SIZE = 50

export function inboxListQuery(search: InboxSearch) {
  const filters = inboxQuery(search)
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.inbox, 'list', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/webhooks/inbox', {
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => askListAgainMs(data, isOnItsWay),
  })
}

export function inboxEventQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.inbox, 'event', id],
    queryFn: ({ signal }) => api('GET /api/webhooks/inbox/:id', { params: { id }, signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => askAgainMs(data !== undefined && isOnItsWay(data)),
  })
}

export async function replayEvent(id: string): Promise<void> {
  const event = await api('POST /api/webhooks/inbox/:id/replay', { params: { id } })
  queryClient.setQueryData<InboundEventInFull>(
    inboxEventQuery(id).queryKey,
    known => known && { ...known, ...event },
  )
  refresh()
}

/** Returns how many are replayed. */
export async function replayWindow(window: ReplayWindow): Promise<number> {
  const { count } = await api('POST /api/webhooks/inbox/replay', { body: window })
  refresh()
  return count
}

function refresh(): void {
  hurry()
  void queryClient.invalidateQueries({ queryKey: cacheKeys.inbox })
}

function isOnItsWay({ status }: Pick<InboundEvent, 'status'>): boolean {
  return status === 'accepted'
}
