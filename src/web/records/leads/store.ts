import type { Lead } from '#domains/leads/contract.ts'
import { cacheKeys, leadSettingsQuery } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { recordStore } from '../store.ts'
import { refreshLists } from './cache.ts'
import { changedFields, leadFields, leadName, toChange, valueOf, type Value, type Values } from './fields.ts'
import { peopleNow } from './people-now.ts'
import { plainValue } from './plain-value.ts'

const LEADS = ['leads'] as const

export const leads = recordStore<Lead, Values>({
  path: '/api/crm/leads',
  keys: [LEADS, cacheKeys.leadBoard],
  one: 'lead',
  nameOf: leadName,
  bodyOf: toChange,
  changed: (lead, values) => ({ ...lead, ...changedFields(lead, values) }),
  valueOf,
  labelOf: key => fieldOf(key)?.label ?? key,
  textOf: (value, key) =>
    plainValue(fieldOf(key) ?? { kind: 'text' }, value as Value, peopleNow()) || 'Empty',
  refresh: () => Promise.all([refreshLists(), refreshBoard()]),
  // A row that no longer matches stays in place while it is edited.
  refreshChanged: refreshBoard,
})

function fieldOf(key: string) {
  const settings = queryClient.getQueryData(leadSettingsQuery.queryKey)
  return leadFields(settings).find(field => field.key === key)
}

function refreshBoard(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: cacheKeys.leadBoard })
}
