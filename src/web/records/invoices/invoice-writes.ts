import type { Invoice, InvoiceChange, NewPayment, NewResolution } from '#domains/invoices/contract.ts'
import { api } from '../../api.ts'
import { invoices } from './store.ts'

/** The edits of a draft; refused unless they are based on the current version. */
export function saveDraft(id: string, body: InvoiceChange, ifMatch: string): Promise<Invoice> {
  return invoices.write(id, () => api('PATCH /api/crm/invoices/:id', { params: { id }, body, ifMatch }))
}

export function openInvoice(id: string): Promise<Invoice> {
  return invoices.act(id, () => api('POST /api/crm/invoices/:id/open', { params: { id } }))
}

/** Finalizes a draft first. */
export function sendInvoice(id: string, message: string): Promise<Invoice> {
  const words = message.trim()
  const body = words ? { message: words } : {}
  return invoices.act(id, () => api('POST /api/crm/invoices/:id/send', { params: { id }, body }))
}

export function voidInvoice(id: string): Promise<Invoice> {
  return invoices.act(id, () => api('POST /api/crm/invoices/:id/void', { params: { id } }))
}

export function duplicateInvoice(id: string): Promise<Invoice> {
  return invoices.act(id, () => api('POST /api/crm/invoices/:id/duplicate', { params: { id } }))
}

export function recordPayment(id: string, body: NewPayment): Promise<Invoice> {
  return invoices.act(id, () => api('POST /api/crm/invoices/:id/payments', { params: { id }, body }))
}

export function resolvePayment(id: string, payment_id: string, body: NewResolution): Promise<Invoice> {
  const params = { id, payment_id }
  return invoices.act(id, () =>
    api('POST /api/crm/invoices/:id/payments/:payment_id/resolution', { params, body }),
  )
}
