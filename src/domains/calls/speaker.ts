import type { Actor, Context } from '#platform/context.ts'
import { findAgent } from '#domains/agents/service.ts'
import type { CallRow } from './store.ts'

/** The timeline shows which agent it was or, for a call without one, who reported it. */
export async function asSpeaker(ctx: Context, { agent_id }: Pick<CallRow, 'agent_id'>): Promise<Context> {
  const agent = agent_id ? await findAgent(ctx, agent_id) : undefined
  if (!agent) return ctx
  const actor: Actor = { kind: 'agent', id: agent.id, name: agent.name }
  return ctx.as(actor)
}
