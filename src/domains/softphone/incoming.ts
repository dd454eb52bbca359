import type { Context } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import type { InboundRoute } from '#platform/registry.ts'
import type { Agent } from '#domains/agents/contract.ts'
import { agentAtNumber } from '#domains/agents/numbers.ts'
import { findAgent } from '#domains/agents/service.ts'
import { findByProvider, findCall, leadOfCaller, nameProvider, startCall } from '#domains/calls/service.ts'
import type { Inbound, Outcome } from '#domains/webhooks/effects.ts'
import { ANSWER_JOB, BUSY, DECLINED, type Answer } from './answer-call.ts'
import { readIncoming, type IncomingCall } from './sip.ts'
import * as store from './store.ts'
import { readCallToken, type Named } from './tokens.ts'
import { LIVE_CALLS_MAX } from './values.ts'

/** Whose call it is: our own that came round says so, signed; else the number that was called. */
export const routeIncoming: InboundRoute = async (ctx, { type, data }) => {
  if (type !== 'realtime.call.incoming') return undefined
  const call = readIncoming(data)
  if (!call) return undefined
  return nameOf(ctx, call)?.team_id ?? (await called(ctx, call))?.team_id
}

/** Decides what happens to an incoming call. Telling the provider is a separate job. */
export async function takeIncoming(ctx: Context, event: Inbound): Promise<Outcome> {
  const call = readIncoming(event.data.data)
  if (!call) return { matched: false, note: 'No call is named.' }
  if (await findByProvider(ctx, call.provider_call_id)) return { matched: true, note: 'Already processed.' }
  const named = nameOf(ctx, call)
  if (named?.team_id === ctx.team_id) return takeOwn(ctx, call, named.call_id)
  const found = await called(ctx, call)
  const agent = found?.team_id === ctx.team_id ? await findAgent(ctx, found.agent_id) : undefined
  if (!agent || agent.deleted_at) return turnAway(ctx, call, agent)
  return answer(ctx, call, agent)
}

/** No team has the number that was called. */
export function declineCall(ctx: Context, data: Record<string, unknown>): void {
  const call = readIncoming(data)
  if (call) tellLine(ctx, { how: 'reject', provider_call_id: call.provider_call_id, status_code: DECLINED })
}

/** Our own outgoing call, answered and put through to the model. It comes round once, and while it rings. */
async function takeOwn(ctx: Context, { provider_call_id }: IncomingCall, call_id: string): Promise<Outcome> {
  const attended = await store.lockAttended(ctx, call_id)
  const call = await findCall(ctx, call_id)
  if (!attended || attended.came_round || call?.status !== 'DIALING') {
    tellLine(ctx, { how: 'reject', provider_call_id, status_code: DECLINED })
    return { matched: call !== undefined, note: 'The call has already ended; it was declined.' }
  }
  store.noteComeRound(ctx, call_id)
  await nameProvider(ctx, call_id, ctx.runtime.ports.voice.kind, provider_call_id)
  tellLine(ctx, { how: 'attach', provider_call_id, call_id })
  return { matched: true, lead_id: call.lead_id }
}

async function answer(ctx: Context, call: IncomingCall, agent: Agent): Promise<Outcome> {
  const { provider_call_id, from, to } = call
  await store.lockBeginning(ctx)
  if ((await store.countLive(ctx)) >= LIVE_CALLS_MAX) return turnAway(ctx, call, agent)
  const lead = from === null ? undefined : await leadOfCaller(ctx, from)
  const { id: call_id } = await startCall(ctx, {
    kind: 'agent',
    direction: 'inbound',
    status: 'DIALING',
    lead_id: lead?.id ?? null,
    agent_id: agent.id,
    agent_version: agent.version,
    user_id: null,
    from,
    to: agent.phone_number ?? to[0] ?? null,
    provider: ctx.runtime.ports.voice.kind,
    provider_call_id,
    source_key: `incoming:${provider_call_id}`,
  })
  tellLine(ctx, { how: 'accept', provider_call_id, call_id })
  return { matched: true, lead_id: lead?.id ?? null }
}

/** Nobody here takes it: a person does where the agent names one, else it is busy or declined. */
function turnAway(ctx: Context, { provider_call_id, to }: IncomingCall, agent: Agent | undefined): Outcome {
  if (agent?.transfer_to) {
    const { model, voice } = agent
    const session = { model, voice, instructions: 'Say nothing.', greeting: null, tools: [] }
    tellLine(ctx, { how: 'refer', provider_call_id, target: `tel:${agent.transfer_to}`, session })
    return {
      matched: true,
      note: `No agent was available: the call was transferred to ${agent.transfer_to}.`,
    }
  }
  tellLine(ctx, { how: 'reject', provider_call_id, status_code: agent ? BUSY : DECLINED })
  const where = to[0] ?? 'the number that was called'
  return { matched: agent !== undefined, note: `No agent answers at ${where}: the call was declined.` }
}

function tellLine(ctx: Context, answer: Answer): void {
  enqueue(ctx, { kind: ANSWER_JOB, data: answer })
}

/** A name that nobody signed is none. */
function nameOf(ctx: Context, { token }: IncomingCall): Named | undefined {
  return token === null ? undefined : readCallToken(ctx.runtime.settings, token)
}

async function called(ctx: Context, { to }: IncomingCall) {
  for (const number of to) {
    const agent = await agentAtNumber(ctx, number)
    if (agent) return agent
  }
  return undefined
}
