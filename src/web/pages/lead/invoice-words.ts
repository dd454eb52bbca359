import { exactMoney } from '../../ui/money.ts'
import type { RecordWords, Told } from './timeline-entry.ts'

/** All events of invoices, for the timeline filter. */
export const invoiceTypes = [
  'invoice.created',
  'invoice.changed',
  'invoice.opened',
  'invoice.payment',
  'invoice.payment_resolved',
  'invoice.paid',
  'invoice.voided',
  'invoice.trashed',
  'invoice.restored',
]

/** An invoice event on the timeline of a lead, as the rest of a sentence. */
export function invoiceWords({ type, subject, data }: Told): RecordWords | undefined {
  const name = text(data.number) ?? text(data.name) ?? 'an invoice'
  const record = { kind: 'invoice' as const, id: subject.id, name }
  switch (type) {
    case 'invoice.created':
      return { before: 'created', record: { ...record, name: 'a draft invoice' } }
    case 'invoice.changed':
      return { before: wasSent(data) ? 'sent' : 'changed the due date of', record }
    case 'invoice.opened':
      return { before: 'finalized the invoice', record, after: over(data.amount, data.currency) }
    case 'invoice.payment':
      return {
        before: `recorded ${sum(data.received, data.currency) ?? 'a payment'} for`,
        record,
        ...(data.issue ? { after: '(to resolve)' } : {}),
      }
    case 'invoice.payment_resolved':
      return { before: 'resolved a payment for', record }
    case 'invoice.paid':
      return { before: 'marked', record, after: 'as paid' }
    case 'invoice.voided':
      return { before: 'voided', record }
    case 'invoice.trashed':
      return { before: 'moved', record, after: 'to the trash' }
    case 'invoice.restored':
      return { before: 'restored', record }
    default:
      return undefined
  }
}

/** Edits of a draft and the reference of the bank are not shown. */
export function isInvoiceTold({ type, data }: Pick<Told, 'type' | 'data'>): boolean {
  if (type !== 'invoice.changed') return true
  return (
    wasSent(data) || (text(data.name) !== undefined && after(data).due_at !== undefined && isIssued(data))
  )
}

function wasSent(data: Record<string, unknown>): boolean {
  return after(data).sent_at !== undefined
}

/** A finalized invoice can only change its due date and its note. */
function isIssued(data: Record<string, unknown>): boolean {
  return Object.keys(after(data)).every(key => ['due_at', 'note', 'updated_at'].includes(key))
}

function after(data: Record<string, unknown>): Record<string, unknown> {
  return (data.after ?? {}) as Record<string, unknown>
}

function over(amount: unknown, currency: unknown): string {
  const words = sum(amount, currency)
  return words ? `for ${words}` : ''
}

function sum(amount: unknown, currency: unknown): string | undefined {
  const [figure, unit] = [text(amount), text(currency)]
  return figure && unit && exactMoney(figure, unit)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() ? value.trim() : undefined
}
