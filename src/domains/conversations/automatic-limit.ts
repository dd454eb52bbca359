import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { countAutomatic } from './store.ts'
import {
  AUTOMATIC_CHAT_REPLIES_PER_HOUR,
  AUTOMATIC_REPLIES_PER_HOUR,
  type ConversationChannel,
} from './values.ts'

const HOUR_MS = 3_600_000

/**
 * Why only a person may write here for a while. A machine that does not say that it is one answers everything, and so does a workflow:
 * without an end, the two would write to each other for ever.
 */
export async function loopFault(
  ctx: Context,
  conversation_id: string,
  channel: ConversationChannel,
): Promise<string | null> {
  const limit = channel === 'chat' ? AUTOMATIC_CHAT_REPLIES_PER_HOUR : AUTOMATIC_REPLIES_PER_HOUR
  if ((await countAutomatic(ctx, conversation_id, ctx.in(-HOUR_MS), limit)) < limit) return null
  return `This conversation already had ${limit} automatic replies within an hour, so this one was not sent: two machines may be answering each other.`
}

/** Workflows and agents are held by it; the row of the conversation is held, so none slips through beside another. */
export async function refuseLoop(
  ctx: Context,
  conversation_id: string,
  channel: ConversationChannel,
): Promise<void> {
  if (ctx.actor.kind !== 'workflow' && ctx.actor.kind !== 'agent') return
  const fault = await loopFault(ctx, conversation_id, channel)
  if (fault !== null) throw new Problem('conflict', fault, { code: 'too_many_automatic_replies' })
}
