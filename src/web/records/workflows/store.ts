import type { WorkflowChange, WorkflowInFull } from '#domains/workflows/contract.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { recordStore } from '../store.ts'

export const workflows = recordStore<WorkflowInFull, WorkflowChange>({
  path: '/api/crm/workflows',
  keys: [cacheKeys.workflows],
  one: 'workflow',
  nameOf: ({ name }) => name,
  refresh: () => queryClient.invalidateQueries({ queryKey: cacheKeys.workflows }),
})
