import { queryOptions, useInfiniteQuery, useQuery, type InfiniteData } from '@tanstack/react-query'
import type { ChatVisit } from '#domains/chat/contract.ts'
import type { Conversation, ConversationEntry } from '#domains/conversations/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { threadQuery } from './conversations-cache.ts'
import { isEmail } from './recipients.ts'
import { addressOf, channelOf } from './words.ts'

/** No event tells that a visitor has left. */
const PRESENCE_MS = 15_000

type Pages = InfiniteData<{ data: ConversationEntry[] }>

export function visitQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.conversations, 'visit', id],
    queryFn: ({ signal }): Promise<ChatVisit> =>
      api('GET /api/conversations/:id/visit', { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.error ? false : PRESENCE_MS),
    retry: false,
    staleTime: 0,
  })
}

/** How the visitor of the latest web chat came and whether they are here, if they have used one. */
export function useVisit(conversation: Conversation): ChatVisit | undefined {
  const hasChat = useHasChat(conversation)
  const { data } = useQuery({ ...visitQuery(conversation.id), enabled: hasChat })
  return hasChat ? data : undefined
}

/** Whether they have used a web chat, as far as the messages are loaded. */
export function useHasChat(conversation: Conversation): boolean {
  const { id, channel } = conversation
  const { data = false } = useInfiniteQuery({ ...threadQuery(id), select: hasChatIn })
  return data || channel === 'chat' || channelOf(addressOf(conversation)) === 'chat'
}

/** The last message of ours that the visitor has seen. */
export function useLastSeen(id: string): string | undefined {
  return useInfiniteQuery({ ...threadQuery(id), select: lastSeenIn }).data ?? undefined
}

/** The email address they left before the chat, or in it. */
export function emailOf({ answers }: Pick<ChatVisit, 'answers'>): string | undefined {
  return Object.values(answers).find(isEmail)
}

export function phoneOf({ answers }: Pick<ChatVisit, 'answers'>): string | undefined {
  return Object.values(answers)
    .map(answer => answer.replaceAll(/[\s().-]/g, ''))
    .find(answer => /^\+\d{7,15}$/.test(answer))
}

function hasChatIn({ pages }: Pages): boolean {
  return pages.some(({ data }) => data.some(({ channel }) => channel === 'chat'))
}

function lastSeenIn({ pages }: Pages): string | null {
  for (const { data } of pages) {
    const seen = data.find(
      ({ channel, opened_at, author }) =>
        channel === 'chat' && opened_at !== null && author.kind !== 'system',
    )
    if (seen) return seen.id
  }
  return null
}
