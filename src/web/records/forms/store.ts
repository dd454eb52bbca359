import type { FormChange, FormWithCounts } from '#domains/forms/contract.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { recordStore } from '../store.ts'

export const forms = recordStore<FormWithCounts, FormChange>({
  path: '/api/crm/forms',
  keys: [cacheKeys.forms],
  one: 'form',
  nameOf: ({ name }) => name,
  refresh: () => queryClient.invalidateQueries({ queryKey: cacheKeys.forms }),
})
