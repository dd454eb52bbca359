import type { Invoice, InvoiceChange } from '#domains/invoices/contract.ts'
import { createDraft, type Draft, type DraftServer } from '../../ui/draft/draft.ts'
import { contentOf, draftFrom, problemsOf, type DraftContent } from './draft-content.ts'

/** An invoice being written. */
export type InvoiceDraft = Draft<Invoice, DraftContent>

export function createInvoiceDraft(
  invoice: Invoice,
  server: DraftServer<Invoice, InvoiceChange>,
): InvoiceDraft {
  return createDraft(invoice, {
    server,
    contentOf: (row: Invoice, before?: DraftContent) => draftFrom(row, before?.lines),
    bodyOf: contentOf,
    hasProblems: content => problemsOf(content).length > 0,
    together: [
      ['lines', 'currency'],
      ['customer', 'lead_id', 'account_id', 'opportunity_id'],
    ],
  })
}
