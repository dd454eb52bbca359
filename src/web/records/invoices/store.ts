import type { Invoice, InvoiceChange } from '#domains/invoices/contract.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { recordStore } from '../store.ts'
import { invoiceName } from './words.ts'

export const invoices = recordStore<Invoice, InvoiceChange>({
  path: '/api/crm/invoices',
  keys: [cacheKeys.invoices],
  one: 'invoice',
  nameOf: invoiceName,
  refresh: () => queryClient.invalidateQueries({ queryKey: cacheKeys.invoices }),
})
