import type { ListConversations } from '#domains/conversations/contract.ts'
import {
  conversationChannels,
  LABEL_LENGTH_MAX,
  type ConversationState,
} from '#domains/conversations/values.ts'
import {
  filterQuery,
  filtersOf,
  isIdOrNone,
  isOneOf,
  without,
  type FilterShape,
  type ListSearch,
} from '../../ui/record-list/search.ts'

export const inboxViews = ['mine', 'unassigned', 'open', 'waiting', 'snoozed', 'closed'] as const
export type InboxView = (typeof inboxViews)[number]

/** The search parameters of the inbox. Without a view: the person's own open conversations. */
export type InboxSearch = ListSearch

export const NOBODY = 'none'

const inboxShape: FilterShape = {
  searchable: true,
  lists: {
    channel: isOneOf(conversationChannels),
    assignee_id: isIdOrNone,
    mailbox_id: isIdOrNone,
    label: value => value.length > 0 && value.length <= LABEL_LENGTH_MAX,
  },
  flags: ['late'],
}

/** Keeps only what the API understands. */
export function inboxSearch(raw: Record<string, unknown>): InboxSearch {
  const view = String(raw.view)
  return {
    ...(view !== 'mine' && isOneOf(inboxViews)(view) && { view }),
    ...filtersOf(inboxShape, raw),
  }
}

/** The view that is listed. A search looks at all conversations. */
export function viewOf({ view, q }: InboxSearch): InboxView | undefined {
  return q ? undefined : ((view as InboxView | undefined) ?? 'mine')
}

const states: Record<InboxView, ConversationState> = {
  mine: 'OPEN',
  unassigned: 'OPEN',
  open: 'OPEN',
  waiting: 'WAITING',
  snoozed: 'SNOOZED',
  closed: 'CLOSED',
}

/**
 * The parameters of the API. What waits for an answer is sorted by when it is due, if the team has answer times: otherwise
 * that order knows nothing of new messages.
 */
export function inboxQuery(search: InboxSearch, me: string, hasDueTimes: boolean): ListConversations {
  const filters = filterQuery<ListConversations>(inboxShape, without(search, 'view'))
  const view = viewOf(search)
  if (!view) return filters
  const state = states[view]
  return {
    ...filters,
    state: [state],
    ...(view === 'mine' && { assignee_id: [me] }),
    ...(view === 'unassigned' && { assignee_id: [NOBODY] }),
    ...(state === 'OPEN' && hasDueTimes && { sort: 'answer_due_at' }),
  }
}
