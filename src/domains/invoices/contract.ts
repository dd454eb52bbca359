import {
  anyOf,
  ById,
  Currency,
  defineEndpoints,
  Id,
  Instant,
  listOf,
  LongText,
  Money,
  nullable,
  oneOf,
  paging,
  sortBy,
  t,
  Text,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { recordEvents } from '#platform/records.ts'
import { publicEndpoints } from './public-contract.ts'
import { BillingSettings, BillingSettingsChange, Party, Percent } from './settings-contract.ts'
import {
  invoiceSorts,
  invoiceStatuses,
  LEADGEN_CREDITS_MAX,
  LINES_MAX,
  paymentIssues,
  paymentMethods,
  resolutions,
  waysToPay,
} from './values.ts'

export type { BankDetails, BillingSettings, BillingSettingsChange, Party } from './settings-contract.ts'

const Quantity = t.String({
  pattern: '^(?:0|[1-9]\\d{0,8})(?:\\.\\d{1,4})?$',
  description: 'A quantity as decimal text, like 2.5',
})
const line = { description: Text, quantity: Quantity, unit_price: Money, tax_percent: Percent }
export const InvoiceLine = t.Object(line, { additionalProperties: false })
export type InvoiceLine = Static<typeof InvoiceLine>

/** Without a tax rate, the team's own. */
const NewLine = t.Object({ ...line, tax_percent: t.Optional(Percent) }, { additionalProperties: false })
export type NewLine = Static<typeof NewLine>

const writable = {
  lead_id: nullable(Id),
  account_id: nullable(Id),
  opportunity_id: nullable(Id),
  customer: Party,
  lines: t.Array(InvoiceLine, { minItems: 1, maxItems: LINES_MAX }),
  currency: Currency,
  due_at: nullable(Instant),
  leadgen_credits: t.Integer({ minimum: 0, maximum: LEADGEN_CREDITS_MAX }),
  note: nullable(LongText),
}

export const Payment = t.Object(
  {
    id: Id,
    invoice_id: Id,
    method: oneOf(paymentMethods),
    amount: Money,
    currency: Currency,
    applied: t.String({ description: 'What of it counts towards the invoice' }),
    network: nullable(t.String()),
    tx_hash: nullable(t.String()),
    payer: nullable(t.String()),
    issue: nullable(oneOf(paymentIssues)),
    resolution: nullable(oneOf(resolutions)),
    resolution_note: nullable(t.String()),
    resolved_by: nullable(Id),
    resolved_at: nullable(Instant),
    note: nullable(t.String()),
    received_at: Instant,
  },
  { $id: 'Payment' },
)
export type Payment = Static<typeof Payment>

/** As lists show it. */
export const InvoiceSummary = t.Object(
  {
    id: Id,
    number: nullable(t.String()),
    status: oneOf(invoiceStatuses),
    ...writable,
    subtotal: Money,
    tax: Money,
    amount: Money,
    paid: Money,
    due: t.String({ description: 'What is still to be paid' }),
    written_off: Money,
    seller: nullable(Party),
    issued_at: nullable(Instant),
    sent_at: nullable(Instant),
    paid_at: nullable(Instant),
    voided_at: nullable(Instant),
    bank_ref: nullable(t.String()),
    pay_url: nullable(t.String({ description: 'The public page where it is paid; null for a draft' })),
    payment_reference: nullable(
      t.String({
        description: 'What a payer quotes (ISO 11649), unique in the installation; null for a draft',
      }),
    ),
    created_at: Instant,
    updated_at: Instant,
    deleted_at: nullable(Instant),
  },
  { $id: 'InvoiceSummary' },
)
export type InvoiceSummary = Static<typeof InvoiceSummary>

export const Invoice = t.Object(
  {
    ...InvoiceSummary.properties,
    payments: t.Array(Payment),
    credit: t.String({ description: 'What the customer has of credit in this currency' }),
    ways_to_pay: t.Array(oneOf(waysToPay), {
      description: 'What its reader is offered; while there is none, it cannot be sent',
    }),
  },
  { $id: 'Invoice' },
)
export type Invoice = Static<typeof Invoice>

const newLines = t.Array(NewLine, { minItems: 1, maxItems: LINES_MAX })

/** Without a customer, what is known of the lead or the account is taken. */
export const NewInvoice = t.Object(
  { ...t.Partial(t.Object(writable)).properties, lines: newLines },
  { additionalProperties: false },
)
export type NewInvoice = Static<typeof NewInvoice>

export const InvoiceChange = t.Partial(t.Object({ ...writable, lines: newLines }), {
  additionalProperties: false,
  minProperties: 1,
})
export type InvoiceChange = Static<typeof InvoiceChange>

/** Money that came by another way, or credit that an earlier payment left. */
export const NewPayment = t.Object(
  {
    method: t.Unsafe<'manual' | 'credit'>(t.Enum(['manual', 'credit'])),
    amount: Money,
    received_at: t.Optional(Instant),
    note: t.Optional(Text),
  },
  { additionalProperties: false },
)
export type NewPayment = Static<typeof NewPayment>

export const NewResolution = t.Object(
  { resolution: oneOf(resolutions), note: t.Optional(Text) },
  { additionalProperties: false },
)
export type NewResolution = Static<typeof NewResolution>

const filters = {
  q: t.Optional(t.String({ maxLength: 200, description: 'Search in numbers and customers' })),
  status: anyOf(oneOf(invoiceStatuses)),
  lead_id: anyOf(Id),
  account_id: anyOf(Id),
  opportunity_id: anyOf(Id),
  currency: anyOf(Currency),
  overdue: t.Optional(t.Boolean({ description: 'Only those that should have been paid by now' })),
  issue: t.Optional(t.Boolean({ description: 'Only those with a payment that waits for a decision' })),
  trashed: t.Optional(t.Boolean({ description: 'The trash instead of the living' })),
}
export const ListInvoices = t.Object(
  { ...paging, sort: sortBy(invoiceSorts), ...filters },
  { additionalProperties: false },
)
export type ListInvoices = Static<typeof ListInvoices>
export type InvoiceFilters = Omit<ListInvoices, 'sort' | 'limit' | 'cursor'>

/** What is open, overdue and came in, in each currency. */
export const InvoiceTotals = t.Object({
  currencies: t.Array(
    t.Object({ currency: Currency, open: Money, overdue: Money, paid_30_days: Money, drafts: t.Integer() }),
  ),
  issues: t.Integer({ description: 'Payments that wait for a decision' }),
})
export type InvoiceTotals = Static<typeof InvoiceTotals>

const read = { scope: 'billing:read' } as const
const write = { scope: 'billing:write' } as const
const one = { params: ById, output: Invoice, etag: true } as const

export const endpoints = defineEndpoints({
  listInvoices: {
    method: 'GET',
    path: '/api/crm/invoices',
    summary: 'List, filter, sort and search invoices',
    auth: read,
    query: ListInvoices,
    output: listOf(InvoiceSummary),
  },
  readInvoiceTotals: {
    method: 'GET',
    path: '/api/crm/invoices/totals',
    summary: 'What is open, what is overdue and what came in lately',
    auth: read,
    output: InvoiceTotals,
  },
  readBillingSettings: {
    method: 'GET',
    path: '/api/crm/invoices/settings',
    summary: 'How the team bills',
    auth: read,
    output: BillingSettings,
    etag: true,
  },
  changeBillingSettings: {
    method: 'PATCH',
    path: '/api/crm/invoices/settings',
    summary: 'Change how the team bills; the next number only goes up',
    auth: { role: 'ADMIN' },
    body: BillingSettingsChange,
    output: BillingSettings,
    etag: true,
  },
  createInvoice: {
    method: 'POST',
    path: '/api/crm/invoices',
    summary: 'Create an invoice as a draft',
    auth: write,
    body: NewInvoice,
    output: Invoice,
    status: 201,
    etag: true,
  },
  readInvoice: {
    method: 'GET',
    path: '/api/crm/invoices/:id',
    summary: 'Read an invoice with its payments',
    auth: read,
    ...one,
  },
  changeInvoice: {
    method: 'PATCH',
    path: '/api/crm/invoices/:id',
    summary: 'Change a draft; of an open invoice only its due date and its note',
    auth: write,
    body: InvoiceChange,
    ...one,
  },
  trashInvoice: {
    method: 'DELETE',
    path: '/api/crm/invoices/:id',
    summary: 'Move a draft to the trash, for 30 days; what has a number is voided instead',
    auth: write,
    params: ById,
    etag: true,
  },
  restoreInvoice: {
    method: 'POST',
    path: '/api/crm/invoices/:id/restore',
    summary: 'Bring a draft back from the trash',
    auth: write,
    status: 200,
    ...one,
  },
  openInvoice: {
    method: 'POST',
    path: '/api/crm/invoices/:id/open',
    summary: 'Give it its number: from now on it can be paid',
    auth: write,
    status: 200,
    ...one,
  },
  sendInvoice: {
    method: 'POST',
    path: '/api/crm/invoices/:id/send',
    summary: 'Mail it to the customer with its PDF and the link to pay; a draft is opened first',
    auth: write,
    body: t.Object({ message: t.Optional(LongText) }, { additionalProperties: false }),
    status: 200,
    ...one,
  },
  voidInvoice: {
    method: 'POST',
    path: '/api/crm/invoices/:id/void',
    summary: 'Declare it void: its number stays, nothing is owed',
    auth: write,
    status: 200,
    ...one,
  },
  duplicateInvoice: {
    method: 'POST',
    path: '/api/crm/invoices/:id/duplicate',
    summary: 'A new draft with the same customer and lines',
    auth: write,
    status: 201,
    location: '/api/crm/invoices/{id}',
    ...one,
  },
  recordPayment: {
    method: 'POST',
    path: '/api/crm/invoices/:id/payments',
    summary: 'Note money that came by another way, or use credit of the customer',
    auth: write,
    params: ById,
    body: NewPayment,
    output: Invoice,
    status: 201,
    location: '/api/crm/invoices/{id}',
    etag: true,
  },
  resolvePayment: {
    method: 'POST',
    path: '/api/crm/invoices/:id/payments/:payment_id/resolution',
    summary: 'Decide about a payment that was too much, too little, late or for a void invoice',
    auth: write,
    params: t.Object({ id: Id, payment_id: Id }),
    body: NewResolution,
    output: Invoice,
    status: 200,
    etag: true,
  },
  readInvoicePdf: {
    method: 'GET',
    path: '/api/crm/invoices/:id/pdf',
    summary: 'The invoice as a PDF',
    auth: read,
    params: ById,
    media: 'application/pdf',
  },
  ...publicEndpoints,
})

const Told = t.Object({
  number: nullable(t.String()),
  amount: Money,
  currency: Currency,
  opportunity_id: nullable(Id),
  leadgen_credits: t.Integer(),
})

export const invoiceEvents = {
  ...recordEvents('invoice', 'billing:read'),
  opened: defineEvent('invoice.opened', Told, { live: 'billing:read' }),
  paid: defineEvent('invoice.paid', Told, { live: 'billing:read' }),
  voided: defineEvent('invoice.voided', Told, { live: 'billing:read' }),
  /** Money came, whatever it was good for. */
  payment: defineEvent(
    'invoice.payment',
    t.Object({ ...Told.properties, payment_id: Id, received: Money, issue: nullable(oneOf(paymentIssues)) }),
    { live: 'billing:read' },
  ),
  resolved: defineEvent(
    'invoice.payment_resolved',
    t.Object({ ...Told.properties, payment_id: Id, resolution: oneOf(resolutions) }),
    { live: 'billing:read' },
  ),
}

export const billingSettingsChanged = defineEvent(
  'billing_settings.changed',
  t.Object({ before: t.Record(t.String(), t.Unknown()), after: t.Record(t.String(), t.Unknown()) }),
  { live: 'billing:read' },
)
