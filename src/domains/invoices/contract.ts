import {
  anyOf,
  ById,
  Currency,
  defineEndpoints,
  Id,
  Instant,
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
import { outlineEndpoint, recordEndpoints } from '#platform/record-endpoints.ts'
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
  description: 'A decimal quantity as text, like 2.5',
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
    applied: t.String({ description: 'Amount applied to the invoice' }),
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
    due: t.String({ description: 'Amount still due' }),
    written_off: Money,
    seller: nullable(Party),
    issued_at: nullable(Instant),
    sent_at: nullable(Instant),
    paid_at: nullable(Instant),
    voided_at: nullable(Instant),
    bank_ref: nullable(t.String()),
    pay_url: nullable(t.String({ description: 'Public payment page; null for a draft' })),
    payment_reference: nullable(
      t.String({
        description: 'Payment reference (ISO 11649), unique in the installation; null for a draft',
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
    credit: t.String({ description: "The customer's credit in this currency" }),
    ways_to_pay: t.Array(oneOf(waysToPay), {
      description: 'Payment methods offered; an invoice without any cannot be sent',
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
  q: t.Optional(t.String({ maxLength: 200, description: 'Search invoice numbers and customers' })),
  status: anyOf(oneOf(invoiceStatuses)),
  lead_id: anyOf(Id),
  account_id: anyOf(Id),
  opportunity_id: anyOf(Id),
  currency: anyOf(Currency),
  overdue: t.Optional(t.Boolean({ description: 'Only overdue invoices' })),
  issue: t.Optional(t.Boolean({ description: 'Only invoices with a payment to resolve' })),
  trashed: t.Optional(t.Boolean({ description: 'List trashed records instead of active ones' })),
}
export const ListInvoices = t.Object(
  { ...paging, sort: sortBy(invoiceSorts), ...filters },
  { additionalProperties: false },
)
export type ListInvoices = Static<typeof ListInvoices>
const Matching = t.Object({ sort: sortBy(invoiceSorts), ...filters }, { additionalProperties: false })
export type MatchingInvoices = Static<typeof Matching>
export type InvoiceFilters = Omit<ListInvoices, 'sort' | 'limit' | 'cursor'>

/** What is open, overdue and came in, in each currency. */
export const InvoiceTotals = t.Object({
  currencies: t.Array(
    t.Object({ currency: Currency, open: Money, overdue: Money, paid_30_days: Money, drafts: t.Integer() }),
  ),
  issues: t.Integer({ description: 'Payments to resolve' }),
})
export type InvoiceTotals = Static<typeof InvoiceTotals>

const read = { scope: 'billing:read' } as const
const write = { scope: 'billing:write' } as const
const one = { params: ById, output: Invoice, etag: true } as const

export const endpoints = defineEndpoints({
  ...recordEndpoints({
    one: 'Invoice',
    many: 'Invoices',
    path: '/api/crm/invoices',
    read,
    write,
    query: ListInvoices,
    listed: InvoiceSummary,
    whole: Invoice,
    create: NewInvoice,
    change: InvoiceChange,
    summaries: {
      create: 'Create an invoice as a draft',
      read: 'Read an invoice with its payments',
      change: 'Update a draft; an open invoice allows only its due date and note',
      trash: 'Move a draft to the trash for 30 days; void a numbered invoice instead',
      restore: 'Restore a draft from the trash',
    },
  }),
  ...outlineEndpoint('Invoices', '/api/crm/invoices', read, Matching),
  readInvoiceTotals: {
    method: 'GET',
    path: '/api/crm/invoices/totals',
    summary: 'Read totals: open, overdue and recently paid',
    auth: read,
    output: InvoiceTotals,
  },
  readBillingSettings: {
    method: 'GET',
    path: '/api/crm/invoices/settings',
    summary: 'Read billing settings',
    auth: read,
    output: BillingSettings,
    etag: true,
  },
  changeBillingSettings: {
    method: 'PATCH',
    path: '/api/crm/invoices/settings',
    summary: 'Update billing settings; the next number can only go up',
    auth: { role: 'ADMIN' },
    body: BillingSettingsChange,
    output: BillingSettings,
    etag: true,
  },
  openInvoice: {
    method: 'POST',
    path: '/api/crm/invoices/:id/open',
    summary: 'Finalize a draft: it gets its number and can be paid',
    auth: write,
    status: 200,
    ...one,
  },
  sendInvoice: {
    method: 'POST',
    path: '/api/crm/invoices/:id/send',
    summary: 'Email an invoice to the customer with its PDF and payment link; a draft is finalized first',
    auth: write,
    body: t.Object({ message: t.Optional(LongText) }, { additionalProperties: false }),
    status: 200,
    ...one,
  },
  voidInvoice: {
    method: 'POST',
    path: '/api/crm/invoices/:id/void',
    summary: 'Void an invoice: it keeps its number, and nothing is owed',
    auth: write,
    status: 200,
    ...one,
  },
  duplicateInvoice: {
    method: 'POST',
    path: '/api/crm/invoices/:id/duplicate',
    summary: 'Duplicate an invoice as a new draft',
    auth: write,
    status: 201,
    location: '/api/crm/invoices/{id}',
    ...one,
  },
  recordPayment: {
    method: 'POST',
    path: '/api/crm/invoices/:id/payments',
    summary: 'Record a payment received elsewhere, or apply customer credit',
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
    summary: 'Resolve a payment that is over, under, late or for a void invoice',
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
    summary: 'Download the invoice as PDF',
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
