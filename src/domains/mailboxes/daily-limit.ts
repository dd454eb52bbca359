import { isoAt } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { dayOf, instantOf } from '#platform/zone.ts'
import { addEmail, countSent, findFullDays } from './day-store.ts'
import * as store from './store.ts'
import type { MailboxRow } from './store.ts'
import { BOUNCE_DAYS, LIMIT_DAYS_MAX, NEXT_DAY_BEGINS_H } from './values.ts'

export { addBounce, removeEmail } from './day-store.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** The day on which an email counts, and when it goes: later than it was wanted, where that day was full. */
export type Slot = { day: string; due_at: string }
type Limited = Pick<MailboxRow, 'id' | 'address' | 'daily_limit' | 'timezone'>

/**
 * When this mailbox sends what is due then. A day that is full is over for it: the next one with room begins at eight in its time zone.
 * `zone` is the team's, for a mailbox that has none.
 */
export async function findSlot(ctx: Context, mailbox: Limited, due_at: string, zone: string): Promise<Slot> {
  const { id, address, daily_limit: limit, timezone } = mailbox
  const own = timezone ?? zone
  const wanted = dayOf(Date.parse(due_at), own)
  if (limit === null) return { day: wanted, due_at }
  const until = daysAfter(wanted, LIMIT_DAYS_MAX)
  const full = await findFullDays(ctx, id, { from: wanted, until, limit })
  for (let day = wanted; day <= until; day = daysAfter(day, 1)) {
    if (full.has(day)) continue
    if (day === wanted) return { day, due_at }
    return { day, due_at: isoAt(instantOf(Date.parse(day) + NEXT_DAY_BEGINS_H * HOUR_MS, own)) }
  }
  throw new Problem(
    'conflict',
    `${address} has no room for another email in the next ${LIMIT_DAYS_MAX} days.`,
    {
      code: 'daily_limit',
    },
  )
}

/** The same, and the email is counted: of two who want the last place of a day, one gets it. */
export async function takeSlot(ctx: Context, mailbox: Limited, due_at: string, zone: string): Promise<Slot> {
  ctx.transactionOrThrow()
  const held = mailbox.daily_limit === null ? undefined : await store.lockMailbox(ctx, mailbox.id)
  const slot = await findSlot(ctx, held ?? mailbox, due_at, zone)
  addEmail(ctx, mailbox.id, slot.day)
  return slot
}

export async function sentFrom(ctx: Context, { id, timezone }: Limited, zone: string) {
  const today = dayOf(ctx.runtime.clock.now(), timezone ?? zone)
  const {
    today: sent_today,
    emails,
    bounced,
  } = await countSent(ctx, id, {
    from: daysAfter(today, 1 - BOUNCE_DAYS),
    today,
  })
  return { sent_today, sent_30_days: emails, bounced_30_days: bounced }
}

function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}
