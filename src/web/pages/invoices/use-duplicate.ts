import { useNavigate } from '@tanstack/react-router'
import type { Invoice } from '#domains/invoices/contract.ts'
import { patterns } from '../../paths.ts'
import { toast, toastFault } from '../../ui/toast.ts'
import { duplicateInvoice } from '../../records/invoices/invoice-writes.ts'
import { invoiceName } from '../../records/invoices/words.ts'

/** A new draft with the same customer and lines, and on to it. */
export function useDuplicate(): (invoice: Invoice) => Promise<void> {
  const navigate = useNavigate()
  return async invoice => {
    try {
      const { id } = await duplicateInvoice(invoice.id)
      await navigate({ to: patterns.invoice, params: { id } })
      toast(`This is a copy of ${invoiceName(invoice)}`)
    } catch (error) {
      toastFault(error, 'Not duplicated')
    }
  }
}
