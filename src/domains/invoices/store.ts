import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import { isAnyOf, listPage, type Listing } from '#platform/listing.ts'
import { listOutline, type FromRow } from '#platform/outline.ts'
import { quickMatches } from '#platform/quick-search.ts'
import { keeper } from '#platform/records.ts'
import {
  invoiceEvents,
  type InvoiceFilters,
  type InvoiceSummary,
  type ListInvoices,
  type MatchingInvoices,
} from './contract.ts'
import { unpaidStatuses, type invoiceSorts } from './values.ts'

/** As it is kept: what is due and where it is paid is worked out. */
export type InvoiceRow = Omit<InvoiceSummary, 'due' | 'pay_url' | 'payment_reference'> & {
  reminders_sent: number
  source_key: string | null
}

const invoiceColumns = [
  'id',
  'number',
  'status',
  'lead_id',
  'account_id',
  'opportunity_id',
  'customer',
  'seller',
  'lines',
  'currency',
  'subtotal',
  'tax',
  'amount',
  'paid',
  'written_off',
  'due_at',
  'issued_at',
  'paid_at',
  'voided_at',
  'sent_at',
  'reminders_sent',
  'leadgen_credits',
  'bank_ref',
  'note',
  'source_key',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies (keyof InvoiceRow)[]

export const records = keeper<InvoiceRow>({
  noun: 'invoice',
  table: 'invoices',
  columns: invoiceColumns,
  json: ['customer', 'seller', 'lines'],
  events: invoiceEvents,
  nameOf: ({ number, customer }) => number ?? customer.name ?? customer.email ?? 'Draft',
})

type Sort = (typeof invoiceSorts)[number]

const listing: Listing<Sort> = {
  table: 'invoices',
  columns: invoiceColumns,
  sorts: {
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
    number: { column: 'number_key', type: 'text' },
    due_at: { column: 'due_key', type: 'timestamptz' },
    amount: { column: 'amount', type: 'numeric' },
  },
  defaultSort: '-created_at',
}

export async function list(ctx: Context, query: ListInvoices) {
  return listPage<InvoiceRow, Sort>(ctx, listing, query, conditions(ctx, query), isByFacet(query))
}

/** Those of a lead, an account or an opportunity are few, and found by the index for them. */
function isByFacet({
  lead_id,
  account_id,
  opportunity_id,
  status,
  currency,
  ...query
}: ListInvoices): boolean {
  if (lead_id || account_id || opportunity_id || query.q || query.trashed) return false
  return Boolean(status ?? currency) || query.overdue !== undefined || query.issue !== undefined
}

export async function outline(ctx: Context, query: MatchingInvoices & FromRow) {
  return listOutline(ctx, listing, query, conditions(ctx, query))
}

export async function quick(ctx: Context, q: string, limit: number): Promise<InvoiceRow[]> {
  return quickMatches(ctx, { ...listing, keys: [], recent: 'updated_at' }, q, limit)
}

export async function findByNumber(ctx: Context, number: string): Promise<InvoiceRow | undefined> {
  return findBy(ctx, sql`number = ${number}`)
}

export async function findBySource(ctx: Context, source_key: string): Promise<InvoiceRow | undefined> {
  return findBy(ctx, sql`source_key = ${source_key}`)
}

export type CurrencySums = { currency: string; open: string; overdue: string; drafts: number }

export async function sumsByCurrency(ctx: Context): Promise<CurrencySums[]> {
  const due = sql`amount - paid - written_off`
  return ctx.all(
    raw<CurrencySums>(sql`select currency,
        coalesce(sum(${due}) filter (where status <> 'DRAFT'), 0)::text as open,
        coalesce(sum(${due}) filter (where status <> 'DRAFT' and due_key < ${ctx.now()}::timestamptz), 0)::text as overdue,
        count(*) filter (where status = 'DRAFT') as drafts
      from invoices where team_id = ${ctx.team_id} and deleted_at is null
        and status in ('DRAFT', 'OPEN', 'PARTIALLY_PAID')
      group by currency`),
  )
}

async function findBy(ctx: Context, condition: RawBuilder<unknown>): Promise<InvoiceRow | undefined> {
  return ctx.first(
    raw<InvoiceRow>(sql`select ${columns} from invoices where team_id = ${ctx.team_id} and ${condition}`),
  )
}

function conditions(ctx: Context, query: InvoiceFilters): RawBuilder<unknown>[] {
  const waits = sql`exists (select from invoice_payments as p where p.team_id = ${ctx.team_id}
    and p.invoice_id = invoices.id and p.issue is not null and p.resolution is null)`
  const overdue = sql`(status in (${unpaid}) and due_key < ${ctx.now()}::timestamptz)`
  return [
    ...isAnyOf('status', query.status),
    ...isAnyOf('lead_id', query.lead_id),
    ...isAnyOf('account_id', query.account_id),
    ...isAnyOf('opportunity_id', query.opportunity_id),
    ...isAnyOf('currency', query.currency),
    ...whether(overdue, query.overdue),
    ...whether(waits, query.issue),
  ]
}

function whether(condition: RawBuilder<unknown>, wanted: boolean | undefined): RawBuilder<unknown>[] {
  if (wanted === undefined) return []
  return [wanted ? condition : sql`not ${condition}`]
}

/** Written out, so that the index of those is found. */
const unpaid = sql.join(unpaidStatuses.map(status => sql.lit(status)))

const columns = sql.join(invoiceColumns.map(column => sql.ref(column)))
