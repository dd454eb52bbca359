import type { Account, ListAccounts } from '#domains/accounts/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { listQuery } from '../../ui/record-list/list.ts'
import { filterText, toQuery, type ListSearch } from '../../ui/record-list/search.ts'
import { accountsShape } from './search.ts'

export function accountsQuery(search: ListSearch) {
  return listQuery<Account>(cacheKeys.accounts, filterText(search), (page, signal) =>
    api('GET /api/crm/accounts', {
      query: { ...toQuery<ListAccounts>(accountsShape, search), ...page },
      signal,
    }),
  )
}
