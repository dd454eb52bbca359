import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'

/** The lists of all views, their counts, the labels, and the report. */
export function refreshLists(): Promise<unknown> {
  return Promise.all([refresh('list'), refresh('counts'), refresh('labels'), refresh('answer-times')])
}

/** One conversation with its messages, what would hold the next one, and who visits. */
export function refreshConversation(id: string): Promise<unknown> {
  return Promise.all([
    refresh('one', id),
    refresh('thread', id),
    refresh('sending', id),
    refresh('visit', id),
    refresh('draft', id),
  ])
}

/** The same for those on screen: the event names a message, and not its conversation. */
export function refreshOpenConversations(): Promise<unknown> {
  return Promise.all([refresh('one'), refresh('thread'), refresh('sending')])
}

function refresh(...key: string[]): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [...cacheKeys.conversations, ...key] })
}
