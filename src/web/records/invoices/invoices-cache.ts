import { queryOptions } from '@tanstack/react-query'
import type { BillingSettings, InvoiceSummary, ListInvoices } from '#domains/invoices/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { listQuery } from '../../ui/record-list/list.ts'
import { filterText, toQuery, type ListSearch } from '../../ui/record-list/search.ts'
import { invoicesShape } from './search.ts'

export function invoicesQuery(search: ListSearch) {
  return listQuery<InvoiceSummary>(cacheKeys.invoices, filterText(search), (page, signal) =>
    api('GET /api/crm/invoices', {
      query: { ...toQuery<ListInvoices>(invoicesShape, search), ...page },
      signal,
    }),
  )
}

/** What is open, overdue and recently paid, over all invoices. */
export const totalsQuery = queryOptions({
  queryKey: [...cacheKeys.invoices, 'totals'],
  queryFn: ({ signal }) => api('GET /api/crm/invoices/totals', { signal }),
})

export const billingSettingsQuery = queryOptions({
  queryKey: cacheKeys.billingSettings,
  queryFn: ({ signal }) => api('GET /api/crm/invoices/settings', { signal }),
})

export function putBillingSettings(settings: BillingSettings): void {
  queryClient.setQueryData<BillingSettings>(cacheKeys.billingSettings, settings)
}
