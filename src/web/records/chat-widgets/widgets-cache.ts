import { queryOptions } from '@tanstack/react-query'
import type { ChatWidget } from '#domains/chat/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'

/** More than a team can have. */
const LIMIT = 200

export const chatWidgetsQuery = queryOptions({
  queryKey: cacheKeys.chatWidgets,
  queryFn: async ({ signal }): Promise<ChatWidget[]> =>
    (await api('GET /api/chat/widgets', { query: { limit: LIMIT, sort: 'name' }, signal })).data,
})

/** Shows a widget from a response before the list is loaded again. */
export function putWidget(widget: ChatWidget): ChatWidget {
  void queryClient.cancelQueries({ queryKey: cacheKeys.chatWidgets })
  queryClient.setQueryData<ChatWidget[]>(cacheKeys.chatWidgets, known => {
    if (!known?.some(({ id }) => id === widget.id)) return known && [...known, widget]
    return known.map(each => (each.id === widget.id ? widget : each))
  })
  return widget
}

export function dropWidget(id: string): void {
  queryClient.setQueryData<ChatWidget[]>(cacheKeys.chatWidgets, known =>
    known?.filter(each => each.id !== id),
  )
}
