import type { MeetingChange, Meeting } from '#domains/meetings/contract.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { recordStore } from '../store.ts'

export const meetings = recordStore<Meeting, MeetingChange>({
  path: '/api/crm/meetings',
  keys: [cacheKeys.meetings],
  one: 'meeting',
  nameOf: ({ title }) => title,
  refresh: () => queryClient.invalidateQueries({ queryKey: cacheKeys.meetings }),
})
