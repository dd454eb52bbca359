import { isRefusal } from '#platform/problem.ts'
import { findConversationOfLead, replyFinished } from '#domains/conversations/service.ts'
import { isPaused } from '#domains/messages/settings.ts'
import type { Done } from '../state.ts'
import { NO_LEAD, type Perform, type Request } from './action.ts'
import { done, failed, refused } from './answers.ts'
import { ask, textOf, type Asked } from './asked.ts'
import { PAUSED } from './outreach.ts'

export const NO_CONVERSATION = 'There is no conversation with this lead yet.'

export const perform: Perform<'reply'> = async (ctx, requests) => {
  const paused = await isPaused(ctx)
  const answers: Done[] = []
  for (const request of await ask(ctx, requests)) answers.push(await reply(request, paused))
  return answers
}

export function given(asked: Asked<'reply'>) {
  return { message: textOf(asked.node.message, asked) }
}

async function reply(request: Request<'reply'> & Asked<'reply'>, paused: boolean): Promise<Done> {
  const { ctx, lead } = request
  const input = given(request)
  if (!lead) return { ...NO_LEAD, input }
  if (paused) return { ...PAUSED, input }
  if (input.message === '') return failed(input, 'The message is empty for this lead.')
  const id = await findConversationOfLead(ctx, lead.id)
  if (id === undefined) return failed(input, NO_CONVERSATION)
  try {
    const written = await ctx.attempt(() => replyFinished(ctx, id, input.message))
    const result = { conversation_id: id, message_id: written.id }
    return done(input, result, `Reply to ${written.address} queued.`)
  } catch (error) {
    if (!isRefusal(error)) throw error
    return refused(input, error)
  }
}
