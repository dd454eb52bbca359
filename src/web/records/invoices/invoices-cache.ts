import { queryOptions } from '@tanstack/react-query'
import type { BillingSettings, InvoiceSummary, MatchingInvoices } from '#domains/invoices/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { listSource } from '../../ui/record-list/source.ts'
import { invoicesShape } from './search.ts'

export const invoiceList = listSource<InvoiceSummary, MatchingInvoices>(cacheKeys.invoices, invoicesShape, {
  page: (query, signal) => api('GET /api/crm/invoices', { query, signal }),
  outline: (query, signal) => api('GET /api/crm/invoices/outline', { query, signal }),
})

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
