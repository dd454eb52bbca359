import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query'
import type { Conversation, ConversationEntry, SendingCheck } from '#domains/conversations/contract.ts'
import type { SavedReply } from '#domains/conversations/contract.ts'
import type { ConversationChannel, FirstChannel } from '#domains/conversations/values.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { inboxQuery, type InboxSearch } from './search.ts'

const PAGE_SIZE = 50
const THREAD_PAGE_SIZE = 30
const REPLIES_MAX = 200
/** Quiet hours begin and end while somebody writes. */
const CHECK_MS = 60_000

type Page = { data: Conversation[]; next_cursor: string | null }
type ThreadPage = { data: ConversationEntry[]; next_cursor: string | null }

export function inboxListQuery(search: InboxSearch, me: string, hasDueTimes: boolean) {
  const query = inboxQuery(search, me, hasDueTimes)
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.conversations, 'list', query],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      api('GET /api/conversations', {
        query: { ...query, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}

/** Newest first, as pages of the API come. */
export function threadQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...cacheKeys.conversations, 'thread', id],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }): Promise<ThreadPage> =>
      api('GET /api/conversations/:id/messages', {
        params: { id },
        query: { limit: THREAD_PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: last => last.next_cursor ?? undefined,
  })
}

/** The newest email between the team and the other side, as far as it is loaded. */
export function lastEmail(id: string): ConversationEntry | undefined {
  const pages = queryClient.getQueryData<InfiniteData<ThreadPage>>(threadQuery(id).queryKey)?.pages
  return pages?.[0]?.data.find(each => isEmail(each) && !each.is_forward)
}

export function isEmail({ kind, channel, hidden, status }: ConversationEntry): boolean {
  return kind === 'message' && channel === 'email' && !hidden && status !== 'CANCELLED'
}

/** What the agent of a conversation proposes to answer. */
export function agentDraftQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.conversations, 'draft', id],
    queryFn: ({ signal }) => api('GET /api/conversations/:id/draft', { params: { id }, signal }),
  })
}

/** What would come of a message on this channel now. */
/** `from`: the mailbox that was chosen; null for that of the installation. */
export function sendingQuery(id: string, channel: ConversationChannel, from?: string | null) {
  const mailbox = from === undefined ? {} : { mailbox_id: from ?? 'none' }
  return queryOptions({
    queryKey: [...cacheKeys.conversations, 'sending', id, channel, mailbox],
    queryFn: ({ signal }): Promise<SendingCheck> =>
      api('GET /api/conversations/:id/sending', { params: { id }, query: { channel, ...mailbox }, signal }),
    refetchInterval: CHECK_MS,
    staleTime: 0,
  })
}

export type Recipient = { lead_id: string } | { to: string }

/** The same for whoever has no conversation yet. */
export function firstSendingQuery(recipient: Recipient, channel: FirstChannel) {
  return queryOptions({
    queryKey: [...cacheKeys.conversations, 'sending', recipient, channel],
    queryFn: ({ signal }): Promise<SendingCheck> =>
      api('GET /api/conversations/sending', { query: { ...recipient, channel }, signal }),
    refetchInterval: CHECK_MS,
    staleTime: 0,
    retry: false,
  })
}

export const savedRepliesQuery = queryOptions({
  queryKey: cacheKeys.savedReplies,
  queryFn: async ({ signal }): Promise<SavedReply[]> => {
    const replies: SavedReply[] = []
    let cursor: string | null = null
    do {
      const query = { limit: REPLIES_MAX, ...(cursor && { cursor }) }
      const page: { data: SavedReply[]; next_cursor: string | null } = await api(
        'GET /api/conversations/saved-replies',
        { query, signal },
      )
      replies.push(...page.data)
      cursor = page.next_cursor
    } while (cursor)
    return replies
  },
})

/** Shows an entry from a response, before the thread is loaded again. */
export function putEntry(id: string, entry: ConversationEntry): void {
  queryClient.setQueryData<InfiniteData<ThreadPage>>(threadQuery(id).queryKey, known => {
    if (!known) return known
    const isKnown = known.pages.some(({ data }) => data.some(each => each.id === entry.id))
    const pages = known.pages.map((page, at) => {
      if (isKnown) return { ...page, data: page.data.map(each => (each.id === entry.id ? entry : each)) }
      return at === 0 ? { ...page, data: [entry, ...page.data] } : page
    })
    return { ...known, pages }
  })
}

/** The labels in use, and how many conversations have them. */
export const labelsQuery = queryOptions({
  queryKey: [...cacheKeys.conversations, 'labels'],
  queryFn: async ({ signal }) => (await api('GET /api/conversations/labels', { signal })).data,
})
