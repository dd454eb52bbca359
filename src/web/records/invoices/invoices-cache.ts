import { queryOptions } from '@tanstack/react-query'
import type { BillingSettings, Invoice, InvoiceSummary, ListInvoices } from '#domains/invoices/contract.ts'
import { api } from '../../api.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { listQuery } from '../../ui/record-list/list.ts'
import { putListed } from '../../ui/record-list/list-cache.ts'
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

export function invoiceQuery(id: string) {
  return queryOptions({
    queryKey: [...cacheKeys.invoices, 'one', id],
    queryFn: ({ signal }) => api('GET /api/crm/invoices/:id', { params: { id }, signal }),
  })
}

/** What is open, overdue and came in, of everything there is. */
export const totalsQuery = queryOptions({
  queryKey: [...cacheKeys.invoices, 'totals'],
  queryFn: ({ signal }) => api('GET /api/crm/invoices/totals', { signal }),
})

export const billingSettingsQuery = queryOptions({
  queryKey: cacheKeys.billingSettings,
  queryFn: ({ signal }) => api('GET /api/crm/invoices/settings', { signal }),
})

/** The answer to a change is the newest there is. */
export function putInvoice(invoice: Invoice): void {
  const { payments: _payments, ...summary } = invoice
  queryClient.setQueryData<Invoice>(invoiceQuery(invoice.id).queryKey, known =>
    known && known.updated_at > invoice.updated_at ? known : invoice,
  )
  putListed<InvoiceSummary>(cacheKeys.invoices, summary)
}

export function putBillingSettings(settings: BillingSettings): void {
  queryClient.setQueryData<BillingSettings>(cacheKeys.billingSettings, settings)
}

/** The stream tells us of our own changes too; this is for the time when it is broken. */
export function refreshInvoices(): void {
  void queryClient.invalidateQueries({ queryKey: cacheKeys.invoices })
}
