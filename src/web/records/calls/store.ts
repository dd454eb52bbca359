import type { CallChange, Call } from '#domains/calls/contract.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { recordStore } from '../store.ts'

export const calls = recordStore<Call, CallChange>({
  path: '/api/voice/calls',
  keys: [cacheKeys.calls],
  one: 'call',
  nameOf: () => 'The call',
  versioned: ({ transcript: _transcript, ...call }) => call,
  refresh: () => queryClient.invalidateQueries({ queryKey: cacheKeys.calls }),
})
