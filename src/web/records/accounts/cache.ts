import type { Account, MatchingAccounts } from '#domains/accounts/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { listSource } from '../../ui/record-list/source.ts'
import { accountsShape } from './search.ts'

export const accountList = listSource<Account, MatchingAccounts>(cacheKeys.accounts, accountsShape, {
  page: (query, signal) => api('GET /api/crm/accounts', { query, signal }),
  outline: (query, signal) => api('GET /api/crm/accounts/outline', { query, signal }),
})
