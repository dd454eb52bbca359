import type { Context } from '#platform/context.ts'
import { Problem } from '#platform/problem.ts'
import { latestChatOf } from '#domains/conversations/chatting.ts'
import { CHAT_ADDRESS } from '#domains/conversations/values.ts'
import { getConversation } from '#domains/conversations/service.ts'
import { answersByLabel } from './answers.ts'
import type { ChatVisit } from './contract.ts'
import { findSession } from './session-store.ts'
import { HERE_MS } from './values.ts'
import { findWidget } from './widget-store.ts'

/** How whoever chatted last in this conversation came. */
export async function readVisit(ctx: Context, conversation_id: string): Promise<ChatVisit> {
  const { id } = await getConversation(ctx, conversation_id)
  const address = await latestChatOf(ctx, id)
  const session = address === null ? undefined : await findSession(ctx, address.slice(CHAT_ADDRESS.length))
  const widget = session && (await findWidget(ctx, session.widget_id))
  if (!session || !widget) throw new Problem('not_found', 'Nobody has chatted in this conversation.')
  const { here_at, created_at } = session
  return {
    session_id: session.id,
    widget_id: widget.id,
    widget: widget.name,
    page: session.page,
    first_page: session.first_page,
    referrer: session.referrer,
    utm: session.utm,
    language: session.language,
    answers: answersByLabel(widget, session.answers),
    is_here: isHere(ctx, here_at),
    last_seen_at: here_at ?? created_at,
    created_at,
  }
}

export function isHere(ctx: Context, here_at: string | null): boolean {
  return here_at !== null && here_at > ctx.in(-HERE_MS)
}
