import type { Context } from '#platform/context.ts'
import { addBounce, findSlot, removeEmail, takeSlot, type Slot } from '#domains/mailboxes/daily-limit.ts'
import type { MailboxRow } from '#domains/mailboxes/sending.ts'
import { findMessage } from '#domains/messages/service.ts'
import type { Sending } from './holds.ts'
import { findLetters } from './mail-store.ts'
import { findSettings } from './settings.ts'

/** What the daily limit of the mailbox makes of a plan: the composer asks it before anything is sent. */
export async function planWithin<Plan extends Pick<Sending, 'due_at' | 'hold_reason' | 'detail' | 'refusal'>>(
  ctx: Context,
  mailbox: MailboxRow | undefined,
  plan: Plan,
): Promise<Plan> {
  if (!mailbox || mailbox.daily_limit === null || plan.refusal) return plan
  const { timezone } = await findSettings(ctx)
  return heldBy(mailbox, plan, await findSlot(ctx, mailbox, plan.due_at, timezone), timezone)
}

/** The same when it is written: from now on it counts. */
export async function planCounted<Plan extends Pick<Sending, 'due_at' | 'hold_reason' | 'detail'>>(
  ctx: Context,
  mailbox: MailboxRow | undefined,
  plan: Plan,
): Promise<{ plan: Plan; counted_on: string | null }> {
  if (!mailbox) return { plan, counted_on: null }
  const { timezone } = await findSettings(ctx)
  const slot = await takeSlot(ctx, mailbox, plan.due_at, timezone)
  return { plan: heldBy(mailbox, plan, slot, timezone), counted_on: slot.day }
}

/** It was cancelled: its place is free again. Whatever else became of it, the mailbox has sent it. */
export async function uncount(ctx: Context, message_id: string): Promise<void> {
  if ((await findMessage(ctx, message_id))?.status !== 'CANCELLED') return
  await counted(ctx, message_id, removeEmail)
}

export async function countBounce(ctx: Context, message_id: string): Promise<void> {
  await counted(ctx, message_id, addBounce)
}

async function counted(
  ctx: Context,
  message_id: string,
  change: (ctx: Context, mailbox_id: string, day: string) => void,
): Promise<void> {
  const letter = (await findLetters(ctx, [message_id])).get(message_id)
  if (letter?.mailbox_id && letter.counted_on) change(ctx, letter.mailbox_id, letter.counted_on)
}

function heldBy<Plan extends Pick<Sending, 'due_at' | 'hold_reason' | 'detail'>>(
  { address, daily_limit, timezone }: MailboxRow,
  plan: Plan,
  { due_at }: Slot,
  zone: string,
): Plan {
  if (due_at === plan.due_at) return plan
  const emails = daily_limit === 1 ? '1 email' : `${daily_limit} emails`
  const detail = `${address} sends ${emails} a day, and that day is full. It is sent on ${dayInWords(due_at, timezone ?? zone)}.`
  return { ...plan, due_at, hold_reason: 'daily_limit', detail }
}

function dayInWords(at: string, timeZone: string): string {
  const format = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  } as const
  return `${new Intl.DateTimeFormat('en-GB', { ...format, timeZone }).format(Date.parse(at))} (${timeZone})`
}
