import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { Problem } from '#platform/problem.ts'
import { nextVersion } from '#platform/version.ts'
import { cancelMessage } from '#domains/messages/service.ts'
import { startClock } from './clock.ts'
import { conversationEvents, type ConversationEntry } from './contract.ts'
import { aboutConversation, answered, lastOf } from './model.ts'
import * as entryStore from './entry-store.ts'
import * as store from './store.ts'
import type { ConversationRow } from './store.ts'
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
  const row = await store.lockConversation(ctx, known.conversation_id)
  if (!row) return undefined
  const since = await unansweredSince(ctx, row.id)
  const last = await findLastSaid(ctx, row)
  const fields: Partial<ConversationRow> = {
    ...(last &&
      lastOf({ ...last, channel: last.channel!, at: earlier(last.at, ctx.now()) }, last.direction!)),
    ...(since !== null && row.state === 'WAITING' && { state: 'OPEN' }),
    ...(since !== null && {
      unanswered_since: since,
      answer_due_at: await startClock(ctx, row, since),
    }),
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

/** Since when somebody waits for an answer, whatever was closed meanwhile. */
export async function unansweredSince(ctx: Context, id: string): Promise<string | null> {
  return entryStore.firstReceivedAfter(ctx, id, await store.lastAnswerAt(ctx, id))
}

/** It got through after all, or somebody has sent it again. */
export async function redo(ctx: Context, message_id: string): Promise<void> {
  const known = (await store.findReplies(ctx, [message_id])).get(message_id)
  if (!known || !(await store.markUndone(ctx, message_id, null))) return
  const row = await store.lockConversation(ctx, known.conversation_id)
  // Something else has come in since: that still waits.
  if (!row || (await unansweredSince(ctx, row.id)) !== null) return
  const state = row.state === 'OPEN' ? 'WAITING' : row.state
  store.updateConversation(ctx, row.id, {
    ...answered,
    state,
    updated_at: nextVersion(row.updated_at, ctx.now()),
  })
}

/** One that is to go later has been written all the same. */
function earlier(a: string, b: string): string {
  return a < b ? a : b
}
