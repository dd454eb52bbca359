import type { Context } from '#platform/context.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { unchangedSince } from '#platform/version.ts'
import type { Invoice } from './contract.ts'
import { sendInvoiceMail } from './sending.ts'
import { getInvoice, openInvoice } from './service.ts'
import { refuseUnpayable } from './ways-to-pay.ts'

/** The mail, and its number where it had none, are one transaction. */
export async function sendInvoice(
  ctx: Context,
  id: string,
  message: string | undefined,
  ifMatch?: string,
): Promise<Invoice> {
  return ctx.transaction(async ctx => {
    const invoice = unchangedSince(await getInvoice(ctx, id), ifMatch)
    if (invoice.status === 'VOID') {
      throw new Problem('conflict', 'This invoice is void and cannot be sent.', { code: 'invoice_void' })
    }
    if (!invoice.customer.email) {
      throw invalid([{ path: 'customer.email', message: 'is required to send the invoice' }])
    }
    refuseUnpayable(invoice)
    const opened = invoice.status === 'DRAFT' ? await openInvoice(ctx, id, ifMatch) : invoice
    await sendInvoiceMail(ctx, opened, message)
    return getInvoice(ctx, id)
  })
}
