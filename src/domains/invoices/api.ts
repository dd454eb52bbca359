import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'
import { publicApi } from './pay-page.ts'
import { pdfAnswer } from './pdf-answer.ts'
import * as invoices from './service.ts'
import { sendInvoice } from './dispatch.ts'
import * as settings from './settings.ts'
import { readTotals } from './totals.ts'

export const api: Handlers<typeof endpoints> = {
  listInvoices: (ctx, { query }) => invoices.listInvoices(ctx, query),
  outlineInvoices: (ctx, { query }) => invoices.outlineInvoices(ctx, query),
  readInvoiceTotals: ctx => readTotals(ctx),
  readBillingSettings: ctx => settings.getSettings(ctx),
  changeBillingSettings: (ctx, { body, ifMatch }) => settings.changeSettings(ctx, body, ifMatch),
  createInvoice: (ctx, { body }) => invoices.createInvoice(ctx, body),
  readInvoice: (ctx, { params }) => invoices.getInvoice(ctx, params.id),
  changeInvoice: (ctx, { params, body, ifMatch }) => invoices.changeInvoice(ctx, params.id, body, ifMatch),
  trashInvoice: (ctx, { params, ifMatch }) => invoices.trashInvoice(ctx, params.id, ifMatch),
  restoreInvoice: (ctx, { params }) => invoices.restoreInvoice(ctx, params.id),
  openInvoice: (ctx, { params, ifMatch }) => invoices.openInvoice(ctx, params.id, ifMatch),
  sendInvoice: (ctx, { params, body, ifMatch }) => sendInvoice(ctx, params.id, body.message, ifMatch),
  voidInvoice: (ctx, { params, ifMatch }) => invoices.voidInvoice(ctx, params.id, ifMatch),
  duplicateInvoice: (ctx, { params, ifMatch }) => invoices.duplicateInvoice(ctx, params.id, ifMatch),
  recordPayment: (ctx, { params, body, ifMatch }) => invoices.recordPayment(ctx, params.id, body, ifMatch),
  resolvePayment: (ctx, { params, body, ifMatch }) =>
    invoices.resolvePayment(ctx, params.id, params.payment_id, body, ifMatch),
  readInvoicePdf: async (ctx, { params }) => pdfAnswer(ctx, await invoices.getInvoice(ctx, params.id)),
  ...publicApi,
}
