import type { Template, TemplateChange } from '#domains/templates/contract.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { recordStore } from '../store.ts'

export const templates = recordStore<Template, TemplateChange>({
  path: '/api/outreach/templates',
  keys: [cacheKeys.templates],
  one: 'template',
  nameOf: ({ name }) => name,
  refresh: () => queryClient.invalidateQueries({ queryKey: cacheKeys.templates }),
})
