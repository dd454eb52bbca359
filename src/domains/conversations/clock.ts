import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { nextVersion } from '#platform/version.ts'
import { notify } from '#domains/notifications/service.ts'
import { conversationEvents } from './contract.ts'
import { aboutConversation } from './model.ts'
import { afterOpenMinutes } from './open-hours.ts'
import { findSettings } from './settings.ts'
import * as store from './store.ts'
import type { ConversationRow } from './store.ts'

export const DUE_JOB = 'conversations.answer_due'
export const WAKE_JOB = 'conversations.wake'

type Due = { id: string; due_at: string }
type Wake = { id: string; until: string }

/**
 * Until when this conversation is to be answered, and the job that looks then. It is computed once: a change of the
 * settings counts for what comes in afterwards.
 */
export async function startClock(
  ctx: Context,
  { id, answered_at }: Pick<ConversationRow, 'id' | 'answered_at'>,
  since: string,
): Promise<string | null> {
  const settings = await findSettings(ctx)
  const minutes = answered_at === null ? settings.first_answer_min : settings.next_answer_min
  const due = minutes === null ? undefined : afterOpenMinutes(Date.parse(since), minutes, settings)
  if (due === undefined) return null
  const due_at = new Date(due).toISOString()
  enqueue(ctx, { kind: DUE_JOB, data: { id, due_at } satisfies Due, run_at: due_at })
  return due_at
}

/** The answer is late: told once, and only if it is still this one that is waited for. */
export async function tellLate(ctx: Context, { data }: Job): Promise<void> {
  const { id, due_at } = data as Due
  const row = await store.lockConversation(ctx, id)
  if (!row?.unanswered_since || row.answer_due_at !== due_at || row.overdue_at !== null) return
  store.updateConversation(ctx, id, {
    overdue_at: ctx.now(),
    updated_at: nextVersion(row.updated_at, ctx.now()),
  })
  const { channel, unanswered_since: since, assignee_id, subject, last_text: text } = row
  record(ctx, conversationEvents.waiting, aboutConversation(row), {
    channel,
    due_at,
    since,
    assignee_id,
    subject,
    text,
  })
  if (assignee_id) await tell(ctx, row, [assignee_id], `${calledBy(row)} is waiting for an answer`)
}

export function snooze(ctx: Context, id: string, until: string): void {
  enqueue(ctx, { kind: WAKE_JOB, data: { id, until } satisfies Wake, run_at: until })
}

/** The snooze ends, unless it was reopened or snoozed again meanwhile. */
export async function wake(ctx: Context, { data }: Job): Promise<void> {
  const { id, until } = data as Wake
  const row = await store.lockConversation(ctx, id)
  if (row?.state !== 'SNOOZED' || row.snoozed_until !== until) return
  store.updateConversation(ctx, id, {
    state: 'OPEN',
    snoozed_until: null,
    updated_at: nextVersion(row.updated_at, ctx.now()),
  })
  record(ctx, conversationEvents.changed, aboutConversation(row), {
    before: { state: row.state, snoozed_until: until },
    after: { state: 'OPEN', snoozed_until: null },
  })
  if (row.assignee_id) await tell(ctx, row, [row.assignee_id], `${calledBy(row)}: snooze ended`)
}

/** Tells people of something in a conversation. */
export async function tell(
  ctx: Context,
  row: Pick<ConversationRow, 'id' | 'name' | 'address'> & { last_text?: string },
  user_ids: readonly string[],
  title: string,
  text = row.last_text,
): Promise<void> {
  const source = { kind: 'conversation', id: row.id, name: calledBy(row) }
  await notify(ctx, { user_ids, title, text: text || null, link: `/inbox/${row.id}`, source })
}

export function calledBy({ name, address }: Pick<ConversationRow, 'name' | 'address'>): string {
  return name ?? address
}
