import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Invoice } from '#domains/invoices/contract.ts'
import { api } from '../../api.ts'
import { patterns } from '../../paths.ts'
import { useKeptDraft } from '../../ui/use-kept-draft.ts'
import { createDraft, type Draft } from './draft.ts'
import { saveDraft } from '../../records/invoices/invoice-writes.ts'
import { invoiceName } from '../../records/invoices/words.ts'

export function useDraft(invoice: Invoice): Draft {
  const { id } = invoice
  const navigate = useNavigate()
  const named = useMemo(() => ({ ...invoice, name: invoiceName(invoice) }), [invoice])
  return useKeptDraft(named, newDraft, () => void navigate({ to: patterns.invoice, params: { id } }))
}

function newDraft(invoice: Invoice): Draft {
  const { id } = invoice
  return createDraft(invoice, {
    save: (change, ifMatch) => saveDraft(id, change, ifMatch),
    read: () => api('GET /api/crm/invoices/:id', { params: { id } }),
  })
}
