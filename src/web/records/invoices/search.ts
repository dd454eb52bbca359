import { invoiceSorts, invoiceStatuses } from '#domains/invoices/values.ts'
import { isId, searchOf, type ListSearch, type SearchShape } from '../../ui/record-list/search.ts'

export const invoicesShape: SearchShape = {
  sorts: invoiceSorts,
  defaultSort: '-created_at',
  lists: {
    status: value => (invoiceStatuses as readonly string[]).includes(value),
    lead_id: isId,
    account_id: isId,
    opportunity_id: isId,
    currency: value => /^[A-Z]{3}$/.test(value),
  },
  flags: ['overdue', 'issue'],
}

export function invoicesSearch(raw: Record<string, unknown>): ListSearch {
  return searchOf(invoicesShape, raw)
}
