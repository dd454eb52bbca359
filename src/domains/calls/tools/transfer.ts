import { findAgent } from '#domains/agents/service.ts'
import type { Tool } from './tool.ts'

/** To the number that the team has given its agent, and to no other: what a caller asks for is no reason to dial it. */
export const transfer: Tool = {
  async use(ctx, { call }) {
    const agent = call.agent_id ? await findAgent(ctx, call.agent_id) : undefined
    if (!agent?.transfer_to)
      return { ok: false, text: 'There is no one to transfer the call to. Offer a meeting instead.' }
    return { ok: true, text: `The call is being transferred to ${agent.transfer_to}.` }
  },
}
