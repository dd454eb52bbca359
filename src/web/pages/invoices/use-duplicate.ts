import { useNavigate } from '@tanstack/react-router'
import type { Invoice } from '#domains/invoices/contract.ts'
import { patterns } from '../../paths.ts'
import { toast, toastFault } from '../../ui/toast.ts'
import { duplicateInvoice } from '../../records/invoices/invoice-writes.ts'
import { invoiceName } from '../../records/invoices/words.ts'

/** Creates a draft with the same customer and lines, and opens it. */
export function useDuplicate(): (invoice: Invoice) => Promise<void> {
  const navigate = useNavigate()
  return async invoice => {
    try {
      const { id } = await duplicateInvoice(invoice.id)
      await navigate({ to: patterns.invoice, params: { id } })
      toast(`Duplicated ${invoiceName(invoice)}`)
    } catch (error) {
      toastFault(error, "Couldn't duplicate")
    }
  }
}
