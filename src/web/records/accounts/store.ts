import type { Account } from '#domains/accounts/contract.ts'
import { accountSettingsQuery, cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import type { Value, Values } from '../leads/fields.ts'
import { peopleNow } from '../leads/people-now.ts'
import { plainValue } from '../leads/plain-value.ts'
import { recordStore } from '../store.ts'
import { accountChange, accountFields, accountValue, changedAccount } from './fields.ts'

export const accounts = recordStore<Account, Values>({
  path: '/api/crm/accounts',
  keys: [cacheKeys.accounts],
  one: 'account',
  nameOf: ({ name }) => name,
  bodyOf: accountChange,
  changed: (account, values) => ({ ...account, ...changedAccount(account, values) }),
  valueOf: accountValue,
  labelOf: key => fieldOf(key)?.label ?? key,
  textOf: (value, key) =>
    plainValue(fieldOf(key) ?? { kind: 'text' }, value as Value, peopleNow()) || 'Empty',
  refresh: () => queryClient.invalidateQueries({ queryKey: cacheKeys.accounts }),
})

function fieldOf(key: string) {
  const settings = queryClient.getQueryData(accountSettingsQuery.queryKey)
  return accountFields(settings).find(field => field.key === key)
}
