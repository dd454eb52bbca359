import { isoAt, tidyInstant } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { difference, filledFields } from '#platform/records.ts'
import { unchangedSince } from '#platform/version.ts'
import { giveAddress } from './addresses.ts'
import {
  invoiceEvents,
  type BillingSettings,
  type Invoice,
  type InvoiceChange,
  type InvoiceLine,
  type NewInvoice,
  type NewLine,
} from './contract.ts'
import { notOpen, statusBy, sumsOf } from './model.ts'
import { celebrate, told } from './paid.ts'
import { customerFrom, living, referenced } from './references.ts'
import { inFull } from './reading.ts'
import { getSettings, takeNumber } from './settings.ts'
import { findByNumber, records, type InvoiceRow } from './store.ts'

export { applyPayment, recordPayment, resolvePayment } from './payments.ts'
export { findInvoiceByToken, getInvoice, listInvoices, quickInvoices } from './reading.ts'
export { outline as outlineInvoices } from './store.ts'

export const purgeInvoices = records.purge

const DAY_MS = 86_400_000

/** Creates a draft. `source_key` identifies an automated request: one key, one invoice. */
export async function createInvoice(
  ctx: Context,
  input: NewInvoice,
  { source_key = null }: { source_key?: string | null } = {},
): Promise<Invoice> {
  return ctx.transaction(async ctx => {
    const found = await referenced(ctx, input)
    if (found.faults.length > 0) throw invalid(found.faults)
    const settings = await getSettings(ctx)
    const currency = input.currency ?? settings.currency
    const lines = taxed(input.lines, settings)
    return insert(ctx, {
      ...found.ids,
      customer: input.customer ?? customerFrom(found),
      lines,
      currency,
      ...sumsOf(lines, currency),
      due_at: tidyDate(input.due_at ?? null),
      leadgen_credits: input.leadgen_credits ?? 0,
      note: input.note === undefined ? settings.note : input.note,
      source_key,
    })
  })
}

/** A draft is written as one likes. What has a number is on somebody's desk: only when it is due and the note can change. */
export async function changeInvoice(
  ctx: Context,
  id: string,
  { due_at, lines: newLines, ...input }: InvoiceChange,
  ifMatch?: string,
): Promise<Invoice> {
  return ctx.transaction(async ctx => {
    const before = await records.getForChange(ctx, id, ifMatch)
    refuseClosed(before)
    const change = {
      ...input,
      ...(newLines && { lines: taxed(newLines, await getSettings(ctx)) }),
      ...(due_at !== undefined && { due_at: tidyDate(due_at) }),
    }
    const wanted = difference(before, change as Partial<InvoiceRow>)?.after ?? {}
    if (before.status !== 'DRAFT') refuseOthers(wanted)
    const { faults } = await referenced(ctx, wanted)
    if (faults.length > 0) throw invalid(faults)
    const { lines, currency } = { ...before, ...wanted }
    const sums = wanted.lines || wanted.currency ? sumsOf(lines, currency) : {}
    return inFull(ctx, records.change(ctx, before, { ...wanted, ...sums }))
  })
}

export async function trashInvoice(ctx: Context, id: string, ifMatch?: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const { status } = await records.getForChange(ctx, id, ifMatch)
    if (status !== 'DRAFT') {
      throw new Problem('conflict', 'A numbered invoice cannot be deleted. Void it instead.', {
        code: 'not_a_draft',
      })
    }
    await records.trash(ctx, id)
  })
}

export async function restoreInvoice(ctx: Context, id: string): Promise<Invoice> {
  return ctx.transaction(async ctx => inFull(ctx, await records.restore(ctx, id)))
}

/** Its number, who sells and when it is due are settled now, and from now on it can be paid. */
export async function openInvoice(ctx: Context, id: string, ifMatch?: string): Promise<Invoice> {
  return ctx.transaction(async ctx => {
    const draft = await records.getForChange(ctx, id, ifMatch)
    if (draft.status !== 'DRAFT') {
      throw new Problem('conflict', 'This invoice is already open.', { code: 'not_a_draft' })
    }
    const isTaken = async (number: string) => (await findByNumber(ctx, number)) !== undefined
    const { number, seller, due_days } = await takeNumber(ctx, isTaken)
    giveAddress(ctx, id, number)
    const now = ctx.now()
    // Where nothing is asked for, nothing has to come.
    const status = statusBy({ ...draft, status: 'OPEN' })
    const opened = records.write(ctx, draft, {
      number,
      seller,
      status,
      issued_at: now,
      due_at: draft.due_at ?? isoAt(Date.parse(now) + due_days * DAY_MS),
      paid_at: status === 'PAID' ? now : null,
    })
    record(ctx, invoiceEvents.opened, records.about(opened), told(opened))
    if (status === 'PAID') await celebrate(ctx, opened)
    return inFull(ctx, opened)
  })
}

/** Its number stays, and nothing is owed. Money that came for it is given back first. */
export async function voidInvoice(ctx: Context, id: string, ifMatch?: string): Promise<Invoice> {
  return ctx.transaction(async ctx => {
    const invoice = await records.getForChange(ctx, id, ifMatch)
    refuseClosed(invoice)
    if (invoice.status === 'DRAFT') throw notOpen()
    if (invoice.status === 'PARTIALLY_PAID') {
      throw new Problem('conflict', 'This invoice has payments. Resolve them first.', {
        code: 'has_payments',
      })
    }
    const voided = records.write(ctx, invoice, { status: 'VOID', voided_at: ctx.now() })
    record(ctx, invoiceEvents.voided, records.about(voided), told(voided))
    return inFull(ctx, voided)
  })
}

/** A draft of its own; what it pointed at and is no longer there is left out. */
export async function duplicateInvoice(ctx: Context, id: string, ifMatch?: string): Promise<Invoice> {
  return ctx.transaction(async ctx => {
    const invoice = unchangedSince(await records.get(ctx, id), ifMatch)
    const { customer, lines, currency, subtotal, tax, amount, leadgen_credits, note } = invoice
    const copied = { customer, lines, currency, subtotal, tax, amount, leadgen_credits, note }
    return insert(ctx, { ...(await living(ctx, invoice)), ...copied, due_at: null, source_key: null })
  })
}

/** What is not said of a line's tax is as the team taxes. */
function taxed(lines: readonly NewLine[], { tax_percent }: BillingSettings): InvoiceLine[] {
  return lines.map(line => ({ ...line, tax_percent: line.tax_percent ?? tax_percent }))
}

type Draft = Pick<
  InvoiceRow,
  | 'lead_id'
  | 'account_id'
  | 'opportunity_id'
  | 'customer'
  | 'lines'
  | 'currency'
  | 'subtotal'
  | 'tax'
  | 'amount'
  | 'due_at'
  | 'leadgen_credits'
  | 'note'
  | 'source_key'
>

async function insert(ctx: Context, draft: Draft): Promise<Invoice> {
  const now = ctx.now()
  const row: InvoiceRow = {
    id: ctx.newId(),
    number: null,
    status: 'DRAFT',
    ...draft,
    seller: null,
    paid: '0',
    written_off: '0',
    issued_at: null,
    sent_at: null,
    paid_at: null,
    voided_at: null,
    bank_ref: null,
    reminders_sent: 0,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  }
  records.insert(ctx, row)
  const { paid: _, written_off: __, reminders_sent: ___, ...told } = row
  record(ctx, invoiceEvents.created, records.about(row), { invoice: filledFields(told) })
  return inFull(ctx, row)
}

const closed = {
  PAID: { message: 'A paid invoice cannot be changed.', code: 'invoice_paid' },
  VOID: { message: 'A void invoice cannot be changed.', code: 'invoice_void' },
} as const

function refuseClosed({ status }: InvoiceRow): void {
  if (status !== 'PAID' && status !== 'VOID') return
  const { message, code } = closed[status]
  throw new Problem('conflict', message, { code })
}

const CHANGEABLE = new Set<string>(['due_at', 'note'])

function refuseOthers(wanted: Partial<InvoiceRow>): void {
  const others = Object.keys(wanted).filter(field => !CHANGEABLE.has(field))
  if (others.length === 0) return
  throw new Problem('conflict', 'This invoice is open. Only its due date and note can be changed.', {
    code: 'not_a_draft',
    errors: others.map(path => ({ path, message: 'can no longer be changed' })),
  })
}

function tidyDate(at: string | null): string | null {
  return at && tidyInstant(at)
}
