import type { ChatWidget, ChatWidgetChange } from '#domains/chat/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { dropWidget, putWidget } from './widgets-cache.ts'

export async function createWidget(body: { name: string; timezone: string }): Promise<ChatWidget> {
  return shown(await api('POST /api/chat/widgets', { body }))
}

/** `ifMatch`: the version the change is based on. */
export async function changeWidget(
  id: string,
  body: ChatWidgetChange,
  ifMatch?: string,
): Promise<ChatWidget> {
  return shown(
    await api('PATCH /api/chat/widgets/:id', { params: { id }, body, ...(ifMatch && { ifMatch }) }),
  )
}

export async function readWidget(id: string): Promise<ChatWidget> {
  return putWidget(await api('GET /api/chat/widgets/:id', { params: { id } }))
}

export async function deleteWidget(id: string): Promise<void> {
  await api('DELETE /api/chat/widgets/:id', { params: { id } })
  dropWidget(id)
  void refresh()
}

function shown(widget: ChatWidget): ChatWidget {
  putWidget(widget)
  void refresh()
  return widget
}

function refresh(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: cacheKeys.chatWidgets })
}
