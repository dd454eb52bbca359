import type { Invoice, InvoiceChange } from '#domains/invoices/contract.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { dateInWords } from '../../ui/time.tsx'
import { asSentence, inPlainWords } from '../../ui/words.ts'
import { recordStore } from '../store.ts'
import { valueText } from '../value-text.ts'
import { dueDay, invoiceName } from './words.ts'

export const invoices = recordStore<Invoice, InvoiceChange>({
  path: '/api/crm/invoices',
  keys: [cacheKeys.invoices],
  one: 'invoice',
  nameOf: invoiceName,
  labelOf: field => (field === 'due_at' ? 'Due date' : asSentence(inPlainWords(field))),
  textOf: (value, field) =>
    field === 'due_at' && value ? dateInWords(dueDay(String(value))!) : valueText(value, field),
  refresh: () => queryClient.invalidateQueries({ queryKey: cacheKeys.invoices }),
})
