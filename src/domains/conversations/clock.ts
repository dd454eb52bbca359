import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { nextVersion } from '#platform/version.ts'
import { listAdmins } from '#domains/identity/members.ts'
import { notify } from '#domains/notifications/service.ts'
import { conversationEvents } from './contract.ts'
import { aboutConversation, channelOf, type AnswerClock } from './model.ts'
import * as store from './store.ts'
import type { ConversationRow } from './store.ts'
import { dueTimes, targetsFor, type Where } from './targets.ts'

export const DUE_JOB = 'conversations.answer_due'
export const ESCALATE_JOB = 'conversations.escalate'
export const WAKE_JOB = 'conversations.wake'

type Due = { id: string; due_at: string }
type Wake = { id: string; until: string }

/**
 * Until when this conversation is to be answered, and the jobs that look then. It is computed once: a change of the
 * settings counts for what comes in afterwards.
 */
export async function startClock(
  ctx: Context,
  { id, answered_at }: Pick<ConversationRow, 'id' | 'answered_at'>,
  since: string,
  { channel, mailbox_id }: Where,
): Promise<AnswerClock> {
  const targets = await targetsFor(ctx, { channel, mailbox_id })
  const clock: AnswerClock = {
    unanswered_since: since,
    ...dueTimes(targets, answered_at === null, since),
    overdue_at: null,
    escalated_at: null,
    waits_channel: channel,
    waits_mailbox_id: mailbox_id,
  }
  watchClock(ctx, id, clock)
  return clock
}

/** The jobs that look whether it was answered in time. */
export function watchClock(
  ctx: Context,
  id: string,
  { answer_due_at: due_at, escalate_at }: Pick<AnswerClock, 'answer_due_at' | 'escalate_at'>,
): void {
  if (due_at === null) return
  const data: Due = { id, due_at }
  enqueue(ctx, { kind: DUE_JOB, data, run_at: due_at })
  if (escalate_at !== null) enqueue(ctx, { kind: ESCALATE_JOB, data, run_at: escalate_at })
}

/** The answer is late: told once, and only if it is still this one that is waited for. */
export async function tellLate(ctx: Context, { data }: Job): Promise<void> {
  const row = await stillDue(ctx, data as Due)
  if (!row || row.overdue_at !== null) return
  store.updateConversation(ctx, row.id, {
    overdue_at: ctx.now(),
    updated_at: nextVersion(row.updated_at, ctx.now()),
  })
  record(ctx, conversationEvents.waiting, aboutConversation(row), lateness(row))
  const { assignee_id } = row
  if (assignee_id) await tell(ctx, row, [assignee_id], `${calledBy(row)} is waiting for an answer`)
}

/** It is late for so long that the admins are notified: once for each answer. */
export async function escalate(ctx: Context, { data }: Job): Promise<void> {
  const row = await stillDue(ctx, data as Due)
  if (!row || row.escalate_at === null || row.escalated_at !== null) return
  store.updateConversation(ctx, row.id, {
    escalated_at: ctx.now(),
    updated_at: nextVersion(row.updated_at, ctx.now()),
  })
  record(ctx, conversationEvents.escalated, aboutConversation(row), lateness(row))
  const admins = (await listAdmins(ctx)).map(({ id }) => id)
  if (admins.length > 0) await tell(ctx, row, admins, `${calledBy(row)} is still waiting for an answer`)
}

async function stillDue(ctx: Context, { id, due_at }: Due): Promise<ConversationRow | undefined> {
  const row = await store.lockConversation(ctx, id)
  return row?.unanswered_since && row.answer_due_at === due_at ? row : undefined
}

function lateness(row: ConversationRow) {
  const { channel, answer_due_at, unanswered_since, assignee_id, subject, last_text: text } = row
  return { channel, due_at: answer_due_at!, since: unanswered_since!, assignee_id, subject, text }
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
  // That of a chat is nothing to read.
  return name ?? (channelOf(address) === 'chat' ? 'A visitor' : address)
}
