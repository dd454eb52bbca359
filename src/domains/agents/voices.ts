import type { Context } from '#platform/context.ts'
import type { Agent } from './contract.ts'
import { listAgents } from './service.ts'

const VOICES_MAX = 200

/** The team's voice agents, the oldest first. */
export async function listVoices(ctx: Context): Promise<Agent[]> {
  const { data } = await listAgents(ctx, { sort: 'created_at', limit: VOICES_MAX })
  return data.filter(({ kind }) => kind === 'voice')
}

/** As people write a name. */
export function voiceNamed(voices: readonly Agent[], name: string): Agent | undefined {
  const wanted = name.trim().toLowerCase()
  return voices.find(agent => agent.name.trim().toLowerCase() === wanted)
}
