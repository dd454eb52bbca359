import { queryOptions } from '@tanstack/react-query'
import type { ConversationSettings } from '#domains/conversations/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'

export const conversationSettingsQuery = queryOptions({
  queryKey: cacheKeys.conversationSettings,
  queryFn: ({ signal }): Promise<ConversationSettings> => api('GET /api/conversations/settings', { signal }),
})
