import type { Context } from '#platform/context.ts'
import * as answerStore from './answer-store.ts'
import type { AnswerRow } from './answer-store.ts'
import { writerOf, type Writer } from './author.ts'
import { watchClock } from './clock.ts'
import { firstReceivedAfter } from './entry-store.ts'
import type { AnswerClock } from './model.ts'
import { openMsBetween } from './open-hours.ts'
import * as store from './store.ts'
import type { ConversationRow, ReplyRow } from './store.ts'
import { dueTimes, targetsFor, type Where } from './targets.ts'
import type { ConversationChannel } from './values.ts'

const SECOND_MS = 1_000

/** The reply with this ID answers what waits, if something does: how long it took is kept. The row is as it was before. */
export async function recordAnswer(
  ctx: Context,
  before: ConversationRow,
  { id, at }: { id: string; at: string },
): Promise<void> {
  const { unanswered_since } = before
  if (unanswered_since === null) return
  const wait = waitOf(before, unanswered_since)
  answerStore.insertAnswer(ctx, await ended(ctx, wait, { id, is_answer: true, at, ...writerOf(ctx) }))
}

/** It was closed, or is said to be their turn, and nobody has answered what waited. */
export async function recordClosed(ctx: Context, before: ConversationRow): Promise<void> {
  const { unanswered_since } = before
  if (unanswered_since === null) return
  const wait = waitOf(before, unanswered_since)
  const end = { id: ctx.newId(), is_answer: false, at: ctx.now(), ...writerOf(ctx) }
  answerStore.insertAnswer(ctx, await ended(ctx, wait, end))
}

/**
 * This reply has answered nothing after all. If something later has ended the same wait, that one counts for it; otherwise
 * answers the clock as it was, which runs again.
 */
export async function takeBackAnswer(
  ctx: Context,
  row: ConversationRow,
  reply: ReplyRow,
): Promise<AnswerClock | 'passed_on' | undefined> {
  const back = await answerStore.takeAnswer(ctx, reply.message_id)
  const later = await store.firstAnswerAfter(ctx, row.id, reply.created_at)
  if (!later) return back && runAgain(ctx, row.id, back)
  if (back) await passOn(ctx, back, later)
  return 'passed_on'
}

/**
 * The reply counts again, for what waited when it was written: that has been ended by something later since, or waits still.
 * What ended it in its place counts for what came in after the reply, or for nothing. Whether it answered anything.
 */
export async function restoreAnswer(ctx: Context, row: ConversationRow, reply: ReplyRow): Promise<boolean> {
  const { message_id: id, created_at: at } = reply
  const next = await answerStore.findNextEnd(ctx, row.id, at)
  const instead = next && next.waited_since <= at ? next : undefined
  const waits =
    row.unanswered_since !== null && row.unanswered_since <= at && waitOf(row, row.unanswered_since)
  const wait = instead ?? waits
  if (!wait) return false
  answerStore.insertAnswer(ctx, await ended(ctx, wait, { id, is_answer: true, at, ...authorOf(reply) }))
  if (instead) await moveOn(ctx, instead, at)
  return true
}

/** The clock of what was closed last, as it was. Undefined where nothing was, or where it would be late by now. */
export async function reopenClosed(ctx: Context, row: ConversationRow): Promise<AnswerClock | undefined> {
  const last = await answerStore.findLastEnd(ctx, row.id)
  // What was closed long ago is not late today.
  if (!last || last.is_answer || (last.due_at !== null && last.due_at <= ctx.now())) return undefined
  return runAgain(ctx, row.id, last)
}

function runAgain(ctx: Context, id: string, back: AnswerRow): AnswerClock {
  const clock: AnswerClock = {
    unanswered_since: back.waited_since,
    answer_due_at: back.due_at,
    overdue_at: back.overdue_at,
    escalate_at: back.escalate_at,
    escalated_at: back.escalated_at,
    waits_channel: back.channel,
    waits_mailbox_id: back.mailbox_id,
  }
  answerStore.deleteClosedSince(ctx, id, back.waited_since)
  watchClock(ctx, id, clock)
  return clock
}

async function passOn(ctx: Context, back: AnswerRow, later: ReplyRow): Promise<void> {
  const next = await answerStore.findNextEnd(ctx, back.conversation_id, back.ended_at)
  if (next && next.ended_at <= later.created_at) return count(ctx, back, next)
  const { message_id: id, created_at: at } = later
  answerStore.insertAnswer(ctx, await ended(ctx, back, { id, is_answer: true, at, ...authorOf(later) }))
}

/** An end of a wait that has ended already at this moment. */
async function moveOn(ctx: Context, end: AnswerRow, at: string): Promise<void> {
  const next = await firstReceivedAfter(ctx, end.conversation_id, at)
  if (!next || next.at > end.ended_at) return answerStore.deleteAnswer(ctx, end.id)
  const times = dueTimes(await targetsFor(ctx, next), false, next.at)
  await count(ctx, { ...end, is_first: false, waited_since: next.at, ...clockFields(next, times) }, end)
}

function authorOf({ author_kind, author_id, author_name }: ReplyRow): Writer {
  return { author_kind: author_kind ?? 'person', author_id, author_name }
}

type Wait = Omit<AnswerRow, 'id' | 'is_answer' | 'is_late' | 'ended_at' | 'open_sec' | keyof Writer>
type End = Writer & { id: string; is_answer: boolean; at: string }

/** An end that is known has ended another wait than was thought. */
async function count(ctx: Context, wait: Wait, end: AnswerRow): Promise<void> {
  const { id, ...fields } = await ended(ctx, wait, { ...end, at: end.ended_at })
  answerStore.updateAnswer(ctx, id, fields)
}

async function ended(ctx: Context, wait: Wait, end: End): Promise<AnswerRow> {
  const { conversation_id, is_first, waited_since, channel, mailbox_id, due_at, overdue_at } = wait
  const { id, is_answer, at, author_kind, author_id, author_name } = end
  const hours = await targetsFor(ctx, { channel, mailbox_id })
  const open_ms = openMsBetween(Date.parse(waited_since), Date.parse(at), hours)
  return {
    id,
    conversation_id,
    is_answer,
    is_first,
    is_late: due_at === null ? null : at >= due_at,
    waited_since,
    ended_at: at,
    open_sec: Math.round(open_ms / SECOND_MS),
    channel,
    mailbox_id,
    author_kind,
    author_id,
    author_name,
    due_at,
    overdue_at,
    escalate_at: wait.escalate_at,
    escalated_at: wait.escalated_at,
  }
}

function waitOf(row: ConversationRow, waited_since: string): Wait {
  const where: Where = { channel: row.waits_channel ?? row.channel, mailbox_id: row.waits_mailbox_id }
  const { answer_due_at, escalate_at, overdue_at, escalated_at } = row
  return {
    conversation_id: row.id,
    is_first: row.answered_at === null,
    waited_since,
    ...clockFields(where, { answer_due_at, escalate_at }),
    overdue_at,
    escalated_at,
  }
}

type Times = { answer_due_at: string | null; escalate_at: string | null }

function clockFields({ channel, mailbox_id }: Where, { answer_due_at, escalate_at }: Times) {
  const place: { channel: ConversationChannel; mailbox_id: string | null } = { channel, mailbox_id }
  return { ...place, due_at: answer_due_at, overdue_at: null, escalate_at, escalated_at: null }
}
