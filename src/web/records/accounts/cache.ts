import { queryOptions } from '@tanstack/react-query'
import type { Account, ListAccounts } from '#domains/accounts/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { knownFromLists, patchListed, putListed } from '../../ui/record-list/list-cache.ts'
import { listQuery } from '../../ui/record-list/list.ts'
import { filterText, toQuery, type ListSearch } from '../../ui/record-list/search.ts'
import { notPending } from '../../writes/pending.ts'
import { upToDate } from '../../writes/up-to-date.ts'
import { accountsShape } from './search.ts'

export function accountsQuery(search: ListSearch) {
  return listQuery<Account>(cacheKeys.accounts, filterText(search), (page, signal) =>
    api('GET /api/crm/accounts', {
      query: { ...toQuery<ListAccounts>(accountsShape, search), ...page },
      signal,
    }),
  )
}

export function accountQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.accounts, 'one', id],
    queryFn: async ({ signal }) =>
      upToDate(await api('GET /api/crm/accounts/:id', { params: { id }, signal }), knownAccount),
  })
}

/** The account as any open list or page knows it. */
export function knownAccount(id: string): Account | undefined {
  return (
    queryClient.getQueryData<Account>(accountQuery(id).queryKey) ??
    knownFromLists<Account>(cacheKeys.accounts, id)
  )
}

export function patchAccount(id: string, fields: Partial<Account>): void {
  queryClient.setQueryData<Account>(
    accountQuery(id).queryKey,
    account => account && { ...account, ...fields },
  )
  patchListed<Account>(cacheKeys.accounts, id, fields)
}

/** The answer to a change, but for what is changed again already. */
export function putAccount(account: Account): void {
  const { id } = account
  queryClient.setQueryData<Account>(
    accountQuery(id).queryKey,
    known => known && { ...known, ...notPending(id, account) },
  )
  putListed<Account>(cacheKeys.accounts, account)
}

export function refreshAccounts(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: cacheKeys.accounts })
}
