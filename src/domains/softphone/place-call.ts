import type { Context } from '#platform/context.ts'
import type { Agent } from '#domains/agents/contract.ts'
import { voiceSession } from '#domains/agents/session.ts'
import type { CallRow } from '#domains/calls/service.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { nameOf } from '#domains/leads/model.ts'
import { zoneOf } from './rules.ts'
import * as store from './store.ts'
import type { Brief } from './store.ts'
import { wakeAttendant } from './wake.ts'

type Parts = { agent: Agent; lead: Lead | undefined; instructions?: string | undefined }

/** Puts a call where a process of ours finds it and attends to it, from the commit on. */
export async function placeCall(ctx: Context, call: CallRow, parts: Parts): Promise<void> {
  await store.insertAttended(ctx, {
    call_id: call.id,
    lead_id: call.lead_id,
    number: call.direction === 'inbound' ? call.from : call.to,
    provider: ctx.runtime.ports.voice.kind,
    provider_call_id: call.provider_call_id,
    brief: briefOf(ctx, call, parts),
  })
  ctx.afterCommit(() => wakeAttendant(ctx.runtime))
}

export function briefOf(ctx: Context, call: CallRow, { agent, lead, instructions }: Parts): Brief {
  const timezone = zoneOf(lead, call.direction === 'inbound' ? call.from : call.to)
  const name = lead ? nameOf(lead) : null
  return {
    session: voiceSession(agent, {
      ...(instructions !== undefined && { instructions }),
      ...(lead && { lead: { name, company: lead.company } }),
      timezone,
      now: ctx.now(),
    }),
    about: { name, timezone },
    direction: call.direction,
    agent_id: agent.id,
    from: call.from,
    to: call.to,
    transfer_to: agent.transfer_to,
  }
}
