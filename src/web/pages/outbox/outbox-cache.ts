import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Enrolment } from '#domains/enrolments/contract.ts'
import type { Message, MessageContent } from '#domains/messages/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { heldFilter, messagesFilter, type OutboxSearch } from '../../records/enrolments/search.ts'

const PAGE_SIZE = 50
const HELD_PAGE_SIZE = 10
const SOON_MS = 2_000

export function messagesQuery(search: OutboxSearch) {
  const filters = messagesFilter(search)
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.messages, 'list', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/outreach/messages', {
        query: { ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
    staleTime: 0,
    // No event says that sending has started, so messages about to be sent are polled.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && data.pages[0]!.data.some(isOnItsWay) ? SOON_MS : false,
  })
}

export function messageQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.messages, 'one', id],
    queryFn: ({ signal }) => api('GET /api/outreach/messages/:id', { params: { id }, signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isOnItsWay(data) ? SOON_MS : false),
  })
}

/** Enrolments whose next step is held, and why. */
export function heldQuery(search: OutboxSearch) {
  const filters = heldFilter(search)
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.enrolments, 'list', filters],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/outreach/enrolments', {
        query: { ...filters, limit: HELD_PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: (last: { data: Enrolment[]; next_cursor: string | null }) =>
      last.next_cursor ?? undefined,
    staleTime: 0,
  })
}

/** Updates the message wherever it is cached. */
export function putMessage(message: Message): void {
  queryClient.setQueryData<MessageContent>(
    messageQuery(message.id).queryKey,
    known => known && { ...known, ...message },
  )
  void queryClient.invalidateQueries({ queryKey: cacheKeys.messages })
  void queryClient.invalidateQueries({ queryKey: cacheKeys.enrolments })
}

function isOnItsWay({ status, due_at }: Pick<Message, 'status' | 'due_at'>): boolean {
  return status === 'SENDING' || (status === 'DUE' && Date.parse(due_at) <= Date.now())
}
