import { page, type Answer } from '#platform/answer.ts'
import { contentPolicy } from '#platform/content-policy.ts'
import type { Context } from '#platform/context.ts'
import type { Handlers } from '#platform/contract.ts'
import { assets } from './pay-assets.ts'
import { absentPage, payPage } from './pay-html.ts'
import { findShown, getShown, payByProof } from './pay.ts'
import { pdfAnswer } from './pdf-answer.ts'
import type { publicEndpoints } from './public-contract.ts'

/** What the receiver of an invoice calls. */
export const publicApi: Handlers<typeof publicEndpoints> = {
  showInvoice: (ctx, { params }) => showInvoice(ctx, params.token),
  readPayAsset: (_, { params }) => assets.answer(params.file),
  readPaidPdf: (ctx, { params }) => readPaidPdf(ctx, params.token),
  readPayState: async (ctx, { params }) => (await getShown(ctx, params.token)).state,
  payOnChain: (ctx, { params, body }) => payByProof(ctx, params.token, body.credential),
}

async function showInvoice(ctx: Context, token: string): Promise<Answer> {
  const shown = await findShown(ctx, token)
  if (!shown) return page(absentPage(), 404, headers)
  const { invoice, state } = shown
  return page(payPage({ token, invoice, state, now: ctx.now() }), 200, headers)
}

async function readPaidPdf(ctx: Context, token: string): Promise<Answer> {
  const shown = await findShown(ctx, token)
  return shown ? pdfAnswer(shown.ctx, shown.invoice) : page(absentPage(), 404, headers)
}

/** The URL is a bearer secret: it must not leak to sites the page links to. */
const headers = { 'content-security-policy': contentPolicy(), 'referrer-policy': 'no-referrer' }
