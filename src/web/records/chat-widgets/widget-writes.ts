import type { ChatWidget, ChatWidgetChange } from '#domains/chat/contract.ts'
import { api } from '../../api.ts'
import { sendFile } from '../../upload.ts'
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

/** A picture: it is there at once, apart from what is typed and not saved yet. */
export async function uploadLogo(id: string, file: File): Promise<ChatWidget> {
  const headers = { 'content-type': file.type || 'application/octet-stream' }
  const to = { method: 'PUT', path: `/api/chat/widgets/${encodeURIComponent(id)}/logo`, headers } as const
  return shown(await sendFile<ChatWidget>(file, to, () => undefined).done)
}

export async function removeLogo(id: string): Promise<ChatWidget> {
  return shown(await api('DELETE /api/chat/widgets/:id/logo', { params: { id } }))
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
