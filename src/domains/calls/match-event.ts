import type { Context } from '#platform/context.ts'
import { atOnce } from '#platform/database/at-once.ts'
import type { InboundRoute } from '#platform/registry.ts'
import { agentAtNumber } from '#domains/agents/numbers.ts'
import { findAgent } from '#domains/agents/service.ts'
import { findLead } from '#domains/leads/service.ts'
import { findTeamOfAgent, findTeamOfCall } from './address-store.ts'
import { findCaller, leadOfCaller } from './callers.ts'
import { readHeard, type Heard } from './event-data.ts'
import { attachLead } from './outcome.ts'
import { holding, startCall, type NewCallRow } from './service.ts'
import * as store from './store.ts'
import type { CallRow } from './store.ts'
import type { CallDirection } from './values.ts'

/** The team of an event: by its call, else its agent, else the number that called or was called. */
export const routeByCall: InboundRoute = async (ctx, { type, data }) => {
  if (!CALL_TYPES.has(type)) return undefined
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
const CALL_TYPES = new Set([
  'tool_call',
  'call_connected',
  'call_ended',
  'response.completed',
  'response.failed',
])

/** The call an event belongs to, if known; without a name, the active call with that lead. */
export async function findMeant(ctx: Context, heard: Heard): Promise<CallRow | undefined> {
  return (await findAllMeant(ctx, [heard]))[0]
}

async function findAllMeant(ctx: Context, all: readonly Heard[]): Promise<(CallRow | undefined)[]> {
  const names = all.flatMap(({ call_id }) => call_id ?? [])
  const [leads, named] = await Promise.all([
    Promise.all(all.map(heard => (heard.call_id === undefined ? leadMeant(ctx, heard) : undefined))),
    names.length > 0 ? store.findNamed(ctx, names) : undefined,
  ])
  const unnamed = leads.filter(lead => lead !== undefined)
  const live = unnamed.length > 0 ? await store.findLiveOfLeads(ctx, unnamed) : undefined
  return all.map(({ call_id }, at) => (call_id === undefined ? live?.get(leads[at] ?? '') : named?.(call_id)))
}

async function leadMeant(ctx: Context, { lead_id, ...heard }: Heard): Promise<string | undefined> {
  return lead_id ?? (await findCalled(ctx, heard))?.id
}

/** The same, while no other transaction can create a call under the same name. */
const holdMeant = atOnce<{ word: string; heard: Heard }, CallRow | undefined>(async (ctx, wanted) => {
  const words = wanted.map(({ word }) => `call ${word}`)
  const heard = wanted.map(({ heard }) => heard)
  // In one trip and in this order: the lookup happens after the names are locked.
  const [, found] = await Promise.all([store.lockWords(ctx, words), findAllMeant(ctx, heard)])
  return found
})

/**
 * The same, but an unknown call is created from the event, once, whichever of its events comes first. The
 * lead's status follows from the transition the event makes. Undefined if the event names neither a lead nor
 * a call.
 */
export async function takeMeant(ctx: Context, heard: Heard, at: string): Promise<CallRow | undefined> {
  const meant = await meantBy(ctx, heard, at)
  return meant && (meant.known ?? startCall(ctx, meant.unknown, { passing: true }))
}

/** The same, where the caller creates a call that is not known yet. */
export async function meantBy(
  ctx: Context,
  heard: Heard,
  at: string,
): Promise<{ known: CallRow; unknown?: never } | { known?: never; unknown: NewCallRow } | undefined> {
  const [word] = wordsIn(heard)
  if (word === undefined) return undefined
  const known = await holdMeant(ctx, { word, heard })
  if (known) return { known: known.lead_id === null ? await recognise(ctx, known, heard) : known }
  const lead_id = await leadOf(ctx, heard)
  if (lead_id === undefined && heard.call_id === undefined) return undefined
  const { agent, direction } = await speakingOf(ctx, heard)
  const call: NewCallRow = {
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
  }
  return { unknown: call }
}

/** The names an event may use: the first one names its call, any of them may match another event's call. */
export function wordsIn({ call_id, lead_id, from, to }: Heard): string[] {
  return [call_id, lead_id, from, to].filter(word => word !== undefined)
}

/** For a call known only from events. */
const PROVIDER = 'webhook'

async function recognise(ctx: Context, call: CallRow, heard: Heard): Promise<CallRow> {
  const lead_id = await leadOf(ctx, heard)
  if (lead_id === undefined) return call
  return holding(ctx, call.id, async (ctx, held) =>
    held.lead_id === null ? attachLead(ctx, held, lead_id) : held,
  )
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

/**
 * Which agent is on the call, and in which direction. If the event does not say, our own number or a known
 * lead's number tells.
 */
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
