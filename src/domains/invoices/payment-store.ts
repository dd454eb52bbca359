import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { inserter } from '#platform/database/insert.ts'
import { raw } from '#platform/database/tables.ts'
import type { Payment } from './contract.ts'
import type { customerOf } from './model.ts'

export type PaymentRow = Payment & {
  /** The same payment told twice is one. */
  reference: string
  /** The provider's event types that reported it. */
  told_by: string[]
  created_at: string
}

const paymentColumns = [
  'id',
  'invoice_id',
  'method',
  'reference',
  'amount',
  'currency',
  'applied',
  'network',
  'tx_hash',
  'payer',
  'told_by',
  'issue',
  'resolution',
  'resolution_note',
  'resolved_by',
  'resolved_at',
  'note',
  'received_at',
  'created_at',
] as const satisfies (keyof PaymentRow)[]

const insertRows = inserter<Record<(typeof paymentColumns)[number] | 'team_id', unknown>>(
  'invoice_payments',
  ['team_id', ...paymentColumns],
)

export function insertPayment(ctx: Context, row: PaymentRow): void {
  ctx.later(insertRows([{ ...row, team_id: ctx.team_id, told_by: JSON.stringify(row.told_by) }]))
}

export function updatePayment(ctx: Context, id: string, fields: Partial<PaymentRow>): void {
  const assignments = Object.entries(fields).map(
    ([column, value]) => sql`${sql.ref(column)} = ${Array.isArray(value) ? JSON.stringify(value) : value}`,
  )
  ctx.later(
    raw(
      sql`update invoice_payments set ${sql.join(assignments)} where team_id = ${ctx.team_id} and id = ${id}`,
    ),
  )
}

/** In the order in which they came. */
export async function findPayments(ctx: Context, invoice_id: string): Promise<PaymentRow[]> {
  return ctx.all(
    raw<PaymentRow>(sql`select ${columns} from invoice_payments
      where team_id = ${ctx.team_id} and invoice_id = ${invoice_id} order by received_at, id`),
  )
}

/** Invoices that a transaction was counted towards. */
export async function findPaidBy(ctx: Context, tx_hash: string): Promise<string[]> {
  const rows = await ctx.all(
    raw<{ invoice_id: string }>(sql`select distinct invoice_id from invoice_payments
      where team_id = ${ctx.team_id} and tx_hash = ${tx_hash} order by invoice_id`),
  )
  return rows.map(({ invoice_id }) => invoice_id)
}

type Customer = NonNullable<ReturnType<typeof customerOf>>

/** Serializes the use and granting of a customer's credit. */
export async function lockCredit(ctx: Context, customer: Customer, currency: string): Promise<void> {
  const words = `${ctx.team_id} ${customer.kind} ${customer.id} ${currency}`
  await ctx.run(raw(sql`select pg_advisory_xact_lock(hashtextextended(${words}, 17))`))
}

/** What payments left for the customer, less what of it was used. */
export async function findCredit(ctx: Context, customer: Customer, currency: string): Promise<string> {
  const whose =
    customer.kind === 'account'
      ? sql`i.account_id = ${customer.id}`
      : sql`i.lead_id = ${customer.id} and i.account_id is null`
  const row = await ctx.first(
    raw<{ credit: string }>(sql`select greatest(coalesce(
        sum(p.amount - p.applied) filter (where p.resolution = 'credited'), 0) - coalesce(
        sum(p.amount) filter (where p.method = 'credit' and p.resolution is distinct from 'refunded'), 0), 0)::text as credit
      from invoices as i join invoice_payments as p on p.team_id = i.team_id and p.invoice_id = i.id
      where i.team_id = ${ctx.team_id} and ${whose} and p.currency = ${currency}`),
  )
  return row!.credit
}

/** Payments that wait for a decision. */
export async function countOpen(ctx: Context): Promise<number> {
  const row = await ctx.first(
    raw<{ count: number }>(sql`select count(*) as count from invoice_payments
      where team_id = ${ctx.team_id} and issue is not null and resolution is null`),
  )
  return row!.count
}

/** What came in since then and counts, by currency. */
export async function sumsReceived(ctx: Context, since: string) {
  return ctx.all(
    raw<{ currency: string; received: string }>(sql`select currency, sum(applied)::text as received
      from invoice_payments where team_id = ${ctx.team_id} and received_at >= ${since}::timestamptz
        and method <> 'credit'
      group by currency`),
  )
}

const columns = sql.join(paymentColumns.map(column => sql.ref(column)))
