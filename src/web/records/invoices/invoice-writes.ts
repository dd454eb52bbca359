import type { Invoice, InvoiceChange, NewPayment, NewResolution } from '#domains/invoices/contract.ts'
import { api } from '../../api.ts'
import { put as putRecord } from '../cache.ts'
import { invoices } from './store.ts'

/** Only what builds on the invoice as we know it. */
export async function saveInvoice(id: string, body: InvoiceChange, ifMatch?: string): Promise<Invoice> {
  return put(await api('PATCH /api/crm/invoices/:id', { params: { id }, body, ...(ifMatch && { ifMatch }) }))
}

export async function openInvoice(id: string): Promise<Invoice> {
  return put(await api('POST /api/crm/invoices/:id/open', { params: { id } }))
}

/** A draft is opened by it. */
export async function sendInvoice(id: string, message: string): Promise<Invoice> {
  const words = message.trim()
  return put(
    await api('POST /api/crm/invoices/:id/send', { params: { id }, body: words ? { message: words } : {} }),
  )
}

export async function voidInvoice(id: string): Promise<Invoice> {
  return put(await api('POST /api/crm/invoices/:id/void', { params: { id } }))
}

export async function duplicateInvoice(id: string): Promise<Invoice> {
  return put(await api('POST /api/crm/invoices/:id/duplicate', { params: { id } }))
}

export async function recordPayment(id: string, body: NewPayment): Promise<Invoice> {
  return put(await api('POST /api/crm/invoices/:id/payments', { params: { id }, body }))
}

export async function resolvePayment(id: string, payment_id: string, body: NewResolution): Promise<Invoice> {
  return put(
    await api('POST /api/crm/invoices/:id/payments/:payment_id/resolution', {
      params: { id, payment_id },
      body,
    }),
  )
}

function put(invoice: Invoice): Invoice {
  putRecord(invoice)
  void invoices.refresh()
  return invoice
}
