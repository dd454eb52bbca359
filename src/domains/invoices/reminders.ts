import type { Context } from '#platform/context.ts'
import type { EventOf } from '#platform/events.ts'
import { enqueueAll, type Job } from '#platform/jobs/queue.ts'
import type { invoiceEvents } from './contract.ts'
import { inFull } from './reading.ts'
import { mailReminder } from './sending.ts'
import { getSettings } from './settings.ts'
import { records, type InvoiceRow } from './store.ts'
import { unpaidStatuses } from './values.ts'

export const REMINDER_JOB = 'invoices.reminder'
const DAY_MS = 86_400_000

type Reminder = { invoice_id: string; due_at: string; day: number; turn: number }

/** From now on its reader is reminded, after the day on which it is due. */
export async function arrangeOpened(
  ctx: Context,
  { subject_id }: EventOf<typeof invoiceEvents.opened>,
): Promise<void> {
  await arrange(ctx, subject_id)
}

/** Another due date has reminders of its own; those of the old one find that it is no longer theirs. */
export async function arrangeChanged(
  ctx: Context,
  { subject_id, data }: EventOf<typeof invoiceEvents.changed>,
): Promise<void> {
  if ('due_at' in data.after) await arrange(ctx, subject_id)
}

/**
 * One reminder, if it is still meant: the due date is the same, the day is still one of the team's, and money is still
 * owed. Its turn makes it the only one, although the date may have been changed and changed back.
 */
export async function remind(ctx: Context, job: Job): Promise<void> {
  const { invoice_id, due_at, day, turn } = job.data as Reminder
  const [invoice] = await records.lockAll(ctx, [invoice_id])
  if (!invoice || !isOwed(invoice) || invoice.due_at !== due_at || invoice.reminders_sent > turn) return
  const settings = await getSettings(ctx)
  if (!settings.reminder_days.includes(day) || !invoice.customer.email) return
  const written = records.write(ctx, invoice, { reminders_sent: turn + 1 })
  await mailReminder(ctx, await inFull(ctx, written), settings)
}

/** A row of jobs for each day that is still to come; what is past already was meant for another due date. */
async function arrange(ctx: Context, invoice_id: string): Promise<void> {
  const [invoice] = await records.lockAll(ctx, [invoice_id])
  if (!invoice?.due_at || !isOwed(invoice)) return
  const { due_at } = invoice
  const { reminder_days } = await getSettings(ctx)
  const waits = reminder_days
    .toSorted((a, b) => a - b)
    .map((day, turn) => ({
      kind: REMINDER_JOB,
      data: { invoice_id, due_at, day, turn } satisfies Reminder,
      run_at: new Date(Date.parse(due_at) + day * DAY_MS).toISOString(),
    }))
  const past = waits.filter(({ run_at }) => run_at <= ctx.now()).length
  records.update(ctx, invoice_id, { reminders_sent: past })
  enqueueAll(ctx, waits.slice(past))
}

function isOwed({ status, deleted_at }: InvoiceRow): boolean {
  return deleted_at === null && (unpaidStatuses as readonly string[]).includes(status)
}
