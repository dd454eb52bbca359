import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Conversation } from '#domains/conversations/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'

const PAGE_SIZE = 5

export type OfRecord = { account_id: string } | { opportunity_id: string }
type Page = { data: Conversation[]; next_cursor: string | null }

/** The conversations with the leads of an account or a deal, the latest first. */
export function conversationsOf(record: OfRecord) {
  const of = Object.fromEntries(Object.entries(record).map(([name, id]) => [name, [id]]))
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.conversations, 'list', of],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      api('GET /api/conversations', {
        query: { ...of, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}
