import type { Context } from '#platform/context.ts'
import type { CallScheduled, CallWanted } from '#platform/offers.ts'
import { Problem } from '#platform/problem.ts'
import type { Agent } from '#domains/agents/contract.ts'
import { listAgents } from '#domains/agents/service.ts'
import { findBySource } from '#domains/calls/service.ts'
import { getLead } from '#domains/leads/service.ts'
import { refusalOfPerson } from './rules.ts'
import { scheduleAttempt } from './scheduling.ts'
import { PROMPT_LENGTH_MAX } from './values.ts'

const AGENTS_MAX = 200

/**
 * For workflows: the agent of that name, or the team's first one, calls the lead. Where there is none, or the lead has not
 * agreed to be called by one, somebody of the team may still call, and it says why.
 */
export async function scheduleCall(ctx: Context, wanted: CallWanted): Promise<CallScheduled> {
  const { lead_id, at, note, key } = wanted
  const known = await findBySource(ctx, key)
  if (known) return { id: known.id, at: known.scheduled_at ?? at }
  const agent = await agentFor(ctx, wanted.agent)
  if (!agent) {
    const none =
      wanted.agent === undefined
        ? 'There are no voice agents here'
        : `No voice agent is called ${wanted.agent}`
    return { instead: none }
  }
  const { dialFault } = ctx.runtime.ports.voice
  if (dialFault !== null) return { instead: bare(dialFault) }
  const lead = await getLead(ctx, lead_id)
  const refused = await refusalOfPerson(ctx, { lead, number: lead.phone, agent, at })
  if (refused?.refusal === 'no_consent') return { instead: bare(refused.message) }
  if (refused) throw new Problem('conflict', refused.message, { code: refused.refusal })
  const call = await scheduleAttempt(ctx, {
    lead,
    agent,
    number: lead.phone,
    at,
    instructions: note?.slice(0, PROMPT_LENGTH_MAX),
    source_key: key,
  })
  return { id: call.id, at: call.scheduled_at ?? at }
}

/** Something follows it. */
function bare(sentence: string): string {
  return sentence.replace(/\.$/, '')
}

async function agentFor(ctx: Context, name: string | undefined): Promise<Agent | undefined> {
  const { data } = await listAgents(ctx, { sort: 'created_at', limit: AGENTS_MAX })
  const voices = data.filter(({ kind }) => kind === 'voice')
  if (name === undefined) return voices[0]
  const wanted = name.trim().toLowerCase()
  return voices.find(agent => agent.name.trim().toLowerCase() === wanted)
}
