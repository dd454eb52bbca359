import type { SavedReply } from '#domains/conversations/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'

type Written = Pick<SavedReply, 'name' | 'text'>

export async function addSavedReply(body: Written): Promise<void> {
  await api('POST /api/conversations/saved-replies', { body })
  await refresh()
}

export async function changeSavedReply(
  { id, updated_at: ifMatch }: SavedReply,
  body: Written,
): Promise<void> {
  await api('PATCH /api/conversations/saved-replies/:id', { params: { id }, body, ifMatch })
  await refresh()
}

export async function deleteSavedReply(id: string): Promise<void> {
  await api('DELETE /api/conversations/saved-replies/:id', { params: { id } })
  await refresh()
}

function refresh(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: cacheKeys.savedReplies })
}
