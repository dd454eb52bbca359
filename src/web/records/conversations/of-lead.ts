import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Conversation } from '#domains/conversations/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'

type Page = { data: Conversation[]; next_cursor: string | null }

/** The one conversation of a lead, or none yet. In the form of a list, so that it is refreshed with those. */
export function conversationOfLead(lead_id: string) {
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.conversations, 'list', { lead_id }],
    initialPageParam: '',
    queryFn: ({ signal }): Promise<Page> =>
      api('GET /api/conversations', { query: { lead_id: [lead_id], limit: 1 }, signal }),
    getNextPageParam: () => undefined,
  })
}

/** Shows the conversation that was just begun, before the list is loaded again. */
export function keepConversationOfLead(lead_id: string, begun: Conversation): void {
  queryClient.setQueryData(conversationOfLead(lead_id).queryKey, {
    pages: [{ data: [begun], next_cursor: null }],
    pageParams: [''],
  })
}
