import type { Candidate } from '#domains/candidates/contract.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { recordStore } from '../store.ts'
import { candidateName } from './words.ts'

export const candidates = recordStore<Candidate, { name: string | null }>({
  path: '/api/crm/candidates',
  keys: [cacheKeys.candidates],
  one: 'candidate',
  nameOf: candidateName,
  refresh: () =>
    Promise.all(
      [cacheKeys.candidates, cacheKeys.credits].map(queryKey => queryClient.invalidateQueries({ queryKey })),
    ),
})
