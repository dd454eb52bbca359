import type { Context } from '#platform/context.ts'
import { isId } from '#platform/ids.ts'
import type { InboundRoute } from '#platform/registry.ts'
import { agentAtNumber } from '#domains/agents/numbers.ts'
import { findAgent } from '#domains/agents/service.ts'
import { findLead } from '#domains/leads/service.ts'
import { findTeamOfAgent, findTeamOfCall } from './address-store.ts'
import { findCaller, leadOfCaller } from './callers.ts'
import { readHeard, type Heard } from './heard.ts'
import { attachLead } from './outcome.ts'
import { startCall } from './service.ts'
import * as store from './store.ts'
import type { CallRow } from './store.ts'
import type { CallDirection } from './values.ts'

/** Whose event it is: the call says so, else the agent, else the number that it was called at or from. */
export const routeByCall: InboundRoute = async (ctx, { type, data }) => {
  if (!VOICE_TYPES.has(type)) return undefined
  const { call_id, agent_id, from, to } = readHeard(data)
  const known =
    (call_id && (await findTeamOfCall(ctx, call_id))) || (agent_id && (await findTeamOfAgent(ctx, agent_id)))
  if (known) return known
  for (const number of [to, from]) {
    const agent = number && (await agentAtNumber(ctx, number))
    if (agent) return agent.team_id
  }
  return undefined
}
const VOICE_TYPES = new Set(['tool_call', 'call_connected', 'call_ended'])

/** The call that an event is about, if it is known; without its name, the one that goes on with that lead. */
export async function findMeant(
  ctx: Context,
  { call_id, lead_id, ...heard }: Heard,
): Promise<CallRow | undefined> {
  if (call_id !== undefined) {
    const own = isId(call_id) ? await store.findCall(ctx, call_id) : undefined
    return own ?? store.findByProvider(ctx, call_id)
  }
  const lead = lead_id ?? (await findCalled(ctx, heard))?.id
  return lead === undefined ? undefined : store.findLiveOfLead(ctx, lead)
}

/**
 * The same; one that nobody here knows is written down from what the event says, once, whichever of its events comes first.
 * Undefined where it says nothing to go by: neither who it is with nor, for a team that is known, what it is called.
 */
export async function takeMeant(
  ctx: Context,
  heard: Heard,
  { at, guessed }: { at: string; guessed: boolean },
): Promise<CallRow | undefined> {
  const word = heard.call_id ?? heard.lead_id ?? heard.from ?? heard.to
  if (word === undefined) return undefined
  await store.lockWord(ctx, `call ${word}`)
  const known = await findMeant(ctx, heard)
  if (known) return known.lead_id === null ? recognise(ctx, known, heard) : known
  if (guessed && heard.lead_id === undefined) return undefined
  const lead_id = await leadOf(ctx, heard)
  if (lead_id === undefined && heard.call_id === undefined) return undefined
  const { agent, direction } = await speakingOf(ctx, heard)
  return startCall(ctx, {
    kind: 'agent',
    direction,
    status: 'DIALING',
    lead_id: lead_id ?? null,
    agent_id: agent?.id ?? null,
    agent_version: agent?.version ?? null,
    user_id: null,
    from: heard.from ?? null,
    to: heard.to ?? null,
    provider: PROVIDER,
    provider_call_id: heard.call_id ?? null,
    started_at: at,
  })
}

/** Of a call of which we hear only by events. */
const PROVIDER = 'webhook'

async function recognise(ctx: Context, call: CallRow, heard: Heard): Promise<CallRow> {
  const lead_id = await leadOf(ctx, heard)
  const locked = lead_id === undefined ? undefined : await store.lockCall(ctx, call.id)
  return locked && locked.lead_id === null ? attachLead(ctx, locked, lead_id!) : call
}

async function leadOf(ctx: Context, heard: Heard): Promise<string | undefined> {
  const named = heard.lead_id && (await findLead(ctx, heard.lead_id))
  if (named) return named.id
  const number = numberOfLead(heard, (await speakingOf(ctx, heard)).direction)
  return number === undefined ? undefined : (await leadOfCaller(ctx, number)).id
}

async function findCalled(ctx: Context, heard: Omit<Heard, 'call_id' | 'lead_id'>) {
  const { direction } = await speakingOf(ctx, heard)
  const number = numberOfLead(heard, direction)
  return number === undefined ? undefined : findCaller(ctx, number)
}

function numberOfLead(
  { from, to }: Pick<Heard, 'from' | 'to'>,
  direction: CallDirection,
): string | undefined {
  return direction === 'inbound' ? from : to
}

/** Which of our agents speaks, and who called whom. Where nobody says it, our own number does, or a lead's that is known. */
async function speakingOf(ctx: Context, heard: Omit<Heard, 'call_id' | 'lead_id'>) {
  const { direction, from, to, agent_id } = heard
  const at = async (number: string | undefined) => {
    const found = number === undefined ? undefined : await agentAtNumber(ctx, number)
    return found?.team_id === ctx.team_id ? found.agent_id : undefined
  }
  const called = direction === 'outbound' ? undefined : await at(to)
  const calling = direction === 'inbound' ? undefined : await at(from)
  const id = agent_id ?? called ?? calling
  return {
    agent: id === undefined ? undefined : await findAgent(ctx, id),
    direction: direction ?? (await guessDirection(ctx, { from, to, called, calling })),
  }
}

async function guessDirection(
  ctx: Context,
  { from, to, called, calling }: Record<'from' | 'to' | 'called' | 'calling', string | undefined>,
): Promise<CallDirection> {
  if (called !== undefined) return 'inbound'
  if (calling !== undefined || from === undefined) return 'outbound'
  return to !== undefined && (await findCaller(ctx, to)) ? 'outbound' : 'inbound'
}
