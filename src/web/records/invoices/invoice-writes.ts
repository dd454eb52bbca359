import type {
  Invoice,
  InvoiceChange,
  InvoiceSummary,
  NewInvoice,
  NewPayment,
  NewResolution,
} from '#domains/invoices/contract.ts'
import { api } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { toast, toastFault, toastWithUndo } from '../../ui/toast.ts'
import { invoiceQuery, putInvoice, refreshInvoices } from './invoices-cache.ts'
import { invoiceName } from './words.ts'

export async function createInvoice(body: NewInvoice): Promise<Invoice> {
  return put(await api('POST /api/crm/invoices', { body }))
}

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

export async function trashInvoice(invoice: InvoiceSummary): Promise<boolean> {
  const { id } = invoice
  try {
    await api('DELETE /api/crm/invoices/:id', { params: { id } })
    refreshInvoices()
    toastWithUndo(`Moved ${invoiceName(invoice)} to the trash`, () => bringBack(id))
    return true
  } catch (error) {
    toastFault(error, 'Not moved to the trash')
    return false
  }
}

export async function restoreInvoice(id: string): Promise<void> {
  try {
    toast(`Restored ${invoiceName(await bringBack(id))}`)
  } catch (error) {
    toastFault(error, 'Not restored')
  }
}

async function bringBack(id: string): Promise<Invoice> {
  const invoice = await api('POST /api/crm/invoices/:id/restore', { params: { id } })
  await queryClient.resetQueries(invoiceQuery(id))
  refreshInvoices()
  return invoice
}

function put(invoice: Invoice): Invoice {
  putInvoice(invoice)
  refreshInvoices()
  return invoice
}
