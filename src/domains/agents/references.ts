import type { Context } from '#platform/context.ts'
import type { Fault } from '#platform/problem.ts'
import type { Agent } from './contract.ts'
import { findAgent } from './service.ts'

/** One that is not in the trash. */
export async function existingAgent(ctx: Context, id: string): Promise<Agent | undefined> {
  const agent = await findAgent(ctx, id)
  return agent?.deleted_at === null ? agent : undefined
}

type Chosen = { agent_id: string | null; agent_mode: string }

/** What is wrong with letting this agent draft or answer. */
export async function chosenAgentFaults(
  ctx: Context,
  before: Chosen,
  { agent_id = before.agent_id, agent_mode = before.agent_mode }: Partial<Chosen>,
): Promise<Fault[]> {
  if (agent_id !== null && agent_id !== before.agent_id && !(await existingAgent(ctx, agent_id)))
    return [{ path: 'agent_id', message: 'is not an agent, or it is in the trash' }]
  if (agent_id === null && agent_mode !== 'off')
    return [{ path: 'agent_mode', message: 'needs an agent: set agent_id' }]
  return []
}
