import { Problem } from '#platform/problem.ts'
import { openThread, TooHard } from '#platform/thread.ts'
import type { BillingSettings, Invoice } from './contract.ts'
import { allText, invoicePdf } from './pdf.ts'

/** An invoice with no more text than this is set within some ten milliseconds. */
export const SHORT_LENGTH_MAX = 2_000
const CPU_MAX_MS = 10_000
const RETRY_AFTER_SECONDS = 10

export type Question = { invoice: Invoice; settings: Pick<BillingSettings, 'seller' | 'bank'> }

const thread = openThread<Question, Uint8Array>(new URL('./pdf-thread.ts', import.meta.url), {
  cpuMs: CPU_MAX_MS,
})

/** To set a hundred lines and a long note takes a while: it is done in a thread, and nobody else waits for it. */
export async function printInvoice(
  invoice: Invoice,
  { seller, bank }: Question['settings'],
): Promise<Buffer> {
  const isShort = allText(invoice, invoice.seller ?? seller, bank).length <= SHORT_LENGTH_MAX
  if (isShort) return invoicePdf(invoice, { seller, bank })
  const { buffer, byteOffset, byteLength } = await thread
    .ask({ invoice, settings: { seller, bank } })
    .catch(askAgain)
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** A machine that is busy with other things takes too long over it. */
function askAgain(error: unknown): never {
  if (!(error instanceof TooHard)) throw error
  throw new Problem('unavailable', 'The PDF took too long to make. Try again in a moment.', {
    code: 'pdf_too_slow',
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    cause: error,
  })
}
