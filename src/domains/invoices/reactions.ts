import { on, type InboundRoute } from '#platform/registry.ts'
import { settlementReorged, settlementRestored } from '#domains/settlements/contract.ts'
import { onInbound } from '#domains/webhooks/effects.ts'
import { findTeamOfInvoice } from './addresses.ts'
import { invoiceEvents } from './contract.ts'
import { invoiceNamed, takeNotice } from './notices.ts'
import { restorePayments, takeBackPayments } from './payments.ts'
import { arrangeChanged, arrangeOpened } from './reminders.ts'

const told = (type: 'payment.confirmed' | 'payment.succeeded') =>
  onInbound(type, 'invoices.payment', (ctx, { at, data }) => takeNotice(ctx, type, { ...data, at }))

export const reactions = [
  told('payment.confirmed'),
  told('payment.succeeded'),
  on(settlementReorged, 'invoices.take_back', (ctx, { data }) => takeBackPayments(ctx, data.tx_hash)),
  on(settlementRestored, 'invoices.restore', (ctx, { data }) => restorePayments(ctx, data.tx_hash)),
  on(invoiceEvents.opened, 'invoices.arrange_reminders', arrangeOpened),
  on(invoiceEvents.changed, 'invoices.arrange_reminders', arrangeChanged),
]

/** An event that names an invoice is its team's. */
export const inboundRoutes: InboundRoute[] = [
  async (ctx, { data }) => {
    const named = invoiceNamed(data)
    return named === null ? undefined : findTeamOfInvoice(ctx, named)
  },
]
