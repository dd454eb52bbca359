import { askTool } from '#domains/agents/custom-tools.ts'
import { findAgent } from '#domains/agents/service.ts'
import { customTools } from '#domains/agents/tools.ts'
import type { Tool } from './tool.ts'

export const custom: Tool = {
  reachesOut: true,
  async use(ctx, { call, ref, name, arguments: given }) {
    const agent = call.agent_id ? await findAgent(ctx, call.agent_id) : undefined
    if (!agent || !customTools(agent).some(tool => tool.name === name)) {
      return { ok: false, text: 'There is no such tool.' }
    }
    return askTool(ctx, agent, name, given, { id: call.id, ref, lead_id: call.lead_id })
  },
}
