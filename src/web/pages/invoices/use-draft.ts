import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Invoice } from '#domains/invoices/contract.ts'
import { patterns } from '../../paths.ts'
import { invoices } from '../../records/invoices/store.ts'
import { saveDraft } from '../../records/invoices/invoice-writes.ts'
import { invoiceName } from '../../records/invoices/words.ts'
import { useDraft } from '../../ui/draft/use-draft.ts'
import { createInvoiceDraft, type InvoiceDraft } from './draft.ts'

export function useInvoiceDraft(invoice: Invoice): InvoiceDraft {
  const { id } = invoice
  const navigate = useNavigate()
  const named = useMemo(() => ({ ...invoice, name: invoiceName(invoice) }), [invoice])
  return useDraft(named, newDraft, () => void navigate({ to: patterns.invoice, params: { id } }))
}

function newDraft(invoice: Invoice): InvoiceDraft {
  const { id } = invoice
  return createInvoiceDraft(invoice, {
    save: (body, ifMatch) => saveDraft(id, body, ifMatch),
    read: () => invoices.read(id),
  })
}
