import { queryOptions } from '@tanstack/react-query'
import type { ConversationCounts } from '#domains/conversations/contract.ts'
import { COUNTED_MAX } from '#domains/conversations/values.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'

/** Apart from the other queries: the navigation of every page needs it. */
export const inboxCountsQuery = queryOptions({
  queryKey: [...cacheKeys.conversations, 'counts'],
  queryFn: ({ signal }): Promise<ConversationCounts> => api('GET /api/conversations/counts', { signal }),
})

/** Counting stops at a hundred: "99+". */
export function countInWords(count: number): string {
  return count >= COUNTED_MAX ? `${COUNTED_MAX - 1}+` : String(count)
}
