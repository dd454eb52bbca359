import { isoAt } from '#platform/clock.ts'
import {
  changeConversation,
  findConversationOfLead,
  getConversation,
} from '#domains/conversations/service.ts'
import { LABELS_MAX } from '#domains/conversations/values.ts'
import type { Done } from '../state.ts'
import { after } from '../duration.ts'
import { NO_LEAD, type Perform, type Request } from './action.ts'
import { done, failed } from './answers.ts'
import { ask, type Asked } from './asked.ts'
import { NO_CONVERSATION } from './reply.ts'

export const perform: Perform<'update_conversation'> = async (ctx, requests) => {
  const answers: Done[] = []
  for (const request of await ask(ctx, requests)) answers.push(await update(request))
  return answers
}

export function given({ node, nowMs, zone }: Asked<'update_conversation'>) {
  const { assignee_id, label, state, snooze, agent_id, agent_mode } = node
  return {
    ...(assignee_id !== undefined && { assignee_id }),
    ...(label !== undefined && { label }),
    ...(state !== undefined && state !== 'KEEP' && { state }),
    ...(agent_id !== undefined && { agent_id }),
    ...(agent_mode !== undefined && { agent_mode }),
    ...(snooze !== undefined && { snoozed_until: isoAt(after(nowMs, snooze, zone)) }),
  }
}

/** In words, for the trace. */
export function changesIn(input: ReturnType<typeof given>): string[] {
  return [
    ...(input.assignee_id ? ['assigned'] : []),
    ...(input.label ? [`labelled ${input.label}`] : []),
    ...(input.state ? [input.state === 'CLOSED' ? 'closed' : 'reopened'] : []),
    ...(input.agent_id ? ['given to an agent'] : []),
    ...(input.agent_mode ? [modes[input.agent_mode]] : []),
    ...(input.snoozed_until ? [`snoozed until ${input.snoozed_until}`] : []),
  ]
}

const modes = { off: 'agent off', draft: 'agent drafts', auto: 'agent answers' } as const

async function update(request: Request<'update_conversation'> & Asked<'update_conversation'>): Promise<Done> {
  const { ctx, lead } = request
  const input = given(request)
  if (!lead) return { ...NO_LEAD, input }
  const id = await findConversationOfLead(ctx, lead.id)
  if (id === undefined) return failed(input, NO_CONVERSATION)
  const { label, ...change } = input
  const { labels } = await getConversation(ctx, id)
  const isNew = label !== undefined && !labels.includes(label)
  if (isNew && labels.length >= LABELS_MAX) return failed(input, `It has ${LABELS_MAX} labels already.`)
  await changeConversation(ctx, id, { ...change, ...(isNew && { labels: [...labels, label] }) })
  return done(input, { conversation_id: id }, `Conversation ${changesIn(input).join(', ')}.`)
}
