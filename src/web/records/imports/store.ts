import type { ImportChange, Import } from '#domains/imports/contract.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { recordStore } from '../store.ts'

export const imports = recordStore<Import, ImportChange>({
  path: '/api/crm/imports',
  keys: [cacheKeys.imports],
  one: 'import',
  nameOf: ({ file_name }) => file_name,
  refresh: () => queryClient.invalidateQueries({ queryKey: cacheKeys.imports }),
})
