import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { Problem } from '#platform/problem.ts'
import { nextVersion } from '#platform/version.ts'
import { cancelMessage } from '#domains/messages/service.ts'
import { deleteClosedSince } from './answer-store.ts'
import { reopenClosed, restoreAnswer, takeBackAnswer } from './answers.ts'
import { startClock } from './clock.ts'
import { conversationEvents, type ConversationEntry } from './contract.ts'
import { uncount } from './mailbox-limit.ts'
import { aboutConversation, answered, lastOf, type AnswerClock } from './model.ts'
import * as entryStore from './entry-store.ts'
import * as store from './store.ts'
import type { ConversationRow, ReplyRow } from './store.ts'
import { findLastSaid } from './thread.ts'

/** Before it is handed over. Then it is as if it had not been written: what it answered waits again. */
export async function cancel(ctx: Context, row: ConversationRow, entry: ConversationEntry): Promise<void> {
  const replies = await store.findReplies(ctx, [entry.id])
  if (replies.get(entry.id)?.conversation_id !== row.id)
    throw new Problem('conflict', 'Only a reply that was written here can be cancelled.', {
      code: 'not_a_reply',
    })
  await cancelMessage(ctx, entry.id)
  await undo(ctx, entry.id)
}

/** A message that was cancelled, or did not get through, has answered nothing. */
export async function undo(ctx: Context, message_id: string): Promise<ConversationRow | undefined> {
  const known = (await store.findReplies(ctx, [message_id])).get(message_id)
  if (!known || !(await store.markUndone(ctx, message_id, ctx.now()))) return undefined
  await uncount(ctx, message_id)
  const row = await store.lockConversation(ctx, known.conversation_id)
  if (!row) return undefined
  const clock = known.is_answer ? await clockWithout(ctx, row, known) : undefined
  const last = await findLastSaid(ctx, row)
  const fields: Partial<ConversationRow> = {
    ...(last &&
      lastOf({ ...last, channel: last.channel!, at: earlier(last.at, ctx.now()) }, last.direction!)),
    ...(clock && row.state === 'WAITING' && { state: 'OPEN' }),
    ...clock,
    updated_at: nextVersion(row.updated_at, ctx.now()),
  }
  store.updateConversation(ctx, row.id, fields)
  if (fields.state)
    record(ctx, conversationEvents.changed, aboutConversation(row), {
      before: { state: row.state },
      after: { state: fields.state },
    })
  return { ...row, ...fields }
}

/** What waits without it. Undefined: no more than before. */
async function clockWithout(
  ctx: Context,
  row: ConversationRow,
  known: ReplyRow,
): Promise<Partial<ConversationRow> | undefined> {
  const back = await takeBackAnswer(ctx, row, known)
  if (back === 'passed_on') return undefined
  const answered_at = (await store.lastAnswerAt(ctx, row.id)) === null ? null : row.answered_at
  if (back) return { ...back, answered_at }
  const first = await firstUnanswered(ctx, row.id)
  if (!first || (row.unanswered_since !== null && row.unanswered_since <= first.at)) return undefined
  deleteClosedSince(ctx, row.id, first.at)
  return { ...(await startClock(ctx, { id: row.id, answered_at }, first.at, first)), answered_at }
}

/** What is reopened waits for an answer as it did before. */
export async function reopenWait(ctx: Context, row: ConversationRow): Promise<AnswerClock | undefined> {
  return (await firstUnanswered(ctx, row.id)) && reopenClosed(ctx, row)
}

/** What waits for an answer longest, whatever was closed meanwhile. */
async function firstUnanswered(ctx: Context, id: string): Promise<entryStore.Received | undefined> {
  return entryStore.firstReceivedAfter(ctx, id, await store.lastAnswerAt(ctx, id))
}

/** It got through after all, or somebody has sent it again. */
export async function redo(ctx: Context, message_id: string): Promise<void> {
  const known = (await store.findReplies(ctx, [message_id])).get(message_id)
  if (!known || !(await store.markUndone(ctx, message_id, null))) return
  const row = await store.lockConversation(ctx, known.conversation_id)
  if (!row) return
  const { is_answer, created_at } = known
  const again = is_answer && (await restoreAnswer(ctx, row, known))
  const answered_at = row.answered_at ?? (is_answer ? created_at : null)
  const first = await firstUnanswered(ctx, row.id)
  // Something else has come in since: that still waits.
  if (first && !(again && row.unanswered_since !== null && row.unanswered_since <= created_at)) return
  const state = row.state === 'OPEN' ? 'WAITING' : row.state
  store.updateConversation(ctx, row.id, {
    ...(first ? await startClock(ctx, { id: row.id, answered_at }, first.at, first) : { ...answered, state }),
    answered_at,
    updated_at: nextVersion(row.updated_at, ctx.now()),
  })
}

/** One that is to go later has been written all the same. */
function earlier(a: string, b: string): string {
  return a < b ? a : b
}
