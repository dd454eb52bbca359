import { Answer } from '#platform/answer.ts'
import type { Context } from '#platform/context.ts'
import { lastingMemory } from '#platform/lasting-memory.ts'
import type { Invoice } from './contract.ts'
import { pdfName } from './pdf.ts'
import { printInvoice } from './printing.ts'
import { getSettings } from './settings.ts'

const REMEMBERED_MAX = 50

/** Shown by the browser itself; who saves it gets a file with the invoice's number. */
export async function pdfAnswer(ctx: Context, invoice: Invoice): Promise<Answer> {
  const headers = {
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="${pdfName(invoice)}"`,
    'cache-control': 'no-store',
  }
  return new Answer(200, headers, await pdfOf(ctx, invoice))
}

/** A version of an invoice is one file for ever: strangers who ask for it again and again cost no time. */
const files = lastingMemory<Buffer>(REMEMBERED_MAX)

async function pdfOf(ctx: Context, invoice: Invoice): Promise<Buffer> {
  const made = async () => printInvoice(invoice, await getSettings(ctx))
  // Who sells is settled when it is opened; until then it may change without the draft.
  if (invoice.seller === null) return made()
  return (await files(ctx, `${ctx.team_id} ${invoice.id} ${invoice.updated_at}`, made))!
}
