import type { Context } from '#platform/context.ts'
import type { CallPlanned, CallScheduled, CallRequest } from '#platform/offers.ts'
import { Problem } from '#platform/problem.ts'
import type { Agent } from '#domains/agents/contract.ts'
import { listVoices, voiceNamed } from '#domains/agents/voices.ts'
import { findBySource } from '#domains/calls/service.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { getLead } from '#domains/leads/service.ts'
import { refusalOfPerson, refusalOfTime, type Refused } from './rules.ts'
import { scheduleAttempt } from './scheduling.ts'
import { PROMPT_LENGTH_MAX } from './values.ts'

/**
 * For workflows: the agent of that name, or the team's first one, calls the lead. Where there is none, or the lead has not
 * agreed to be called by one, somebody of the team may still call, and it says why.
 */
export async function scheduleCall(ctx: Context, wanted: CallRequest): Promise<CallScheduled> {
  const { at, note, key } = wanted
  const known = await findBySource(ctx, key)
  if (known) return { id: known.id, at: known.scheduled_at ?? at }
  const plan = await planned(ctx, wanted)
  if ('instead' in plan) return plan
  if ('refusal' in plan) throw new Problem('conflict', plan.message, { code: plan.refusal })
  const { lead, agent } = plan
  const call = await scheduleAttempt(ctx, {
    lead,
    agent,
    number: lead.phone,
    at,
    instructions: note?.slice(0, PROMPT_LENGTH_MAX),
    user_id: wanted.user_id ?? null,
    source_key: key,
  })
  return { id: call.id, at: call.scheduled_at ?? at }
}

/** What would come of it, while nothing is done. */
export async function planCall(ctx: Context, wanted: Omit<CallRequest, 'key'>): Promise<CallPlanned> {
  const plan = await planned(ctx, wanted)
  if ('instead' in plan) return plan
  if ('refusal' in plan) return { refused: plan.message }
  const { lead, agent } = plan
  return { at: refusalOfTime({ lead, number: lead.phone, agent, at: wanted.at })?.next_at ?? wanted.at }
}

type Planned = { agent: Agent; lead: Lead } | { instead: string } | Refused

async function planned(
  ctx: Context,
  { agent: name, lead_id, at }: Omit<CallRequest, 'key'>,
): Promise<Planned> {
  const voices = await listVoices(ctx)
  const agent = name === undefined ? voices[0] : voiceNamed(voices, name)
  if (!agent)
    return {
      instead: name === undefined ? 'There are no voice agents' : `No voice agent is called ${name}`,
    }
  const { dialFault } = ctx.runtime.ports.voice
  if (dialFault !== null) return { instead: bare(dialFault) }
  const lead = await getLead(ctx, lead_id)
  const refused = await refusalOfPerson(ctx, { lead, number: lead.phone, agent, at })
  // A suppressed lead is called by no one.
  if (refused && refused.refusal !== 'suppressed') return { instead: bare(refused.message) }
  return refused ?? { agent, lead }
}

/** Something follows it. */
function bare(sentence: string): string {
  return sentence.replace(/\.$/, '')
}
