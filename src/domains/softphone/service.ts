import type { Context } from '#platform/context.ts'
import { whereaboutsOf } from '#platform/phone-zones.ts'
import { invalid, Problem } from '#platform/problem.ts'
import type { Agent } from '#domains/agents/contract.ts'
import { findAgent } from '#domains/agents/service.ts'
import { findCaller } from '#domains/calls/callers.ts'
import { wasAnswered } from '#domains/calls/model.ts'
import {
  addLines,
  cancelCall,
  findCall,
  shownInList,
  startCall,
  type CallRow,
} from '#domains/calls/service.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { findLead } from '#domains/leads/service.ts'
import type { CallAsked, CallCheck, NewSession, Session } from './contract.ts'
import { placeCall } from './place-call.ts'
import { refusalOfPerson, refusalProblem, refusalsOf } from './rules.ts'
import { scheduleAttempt } from './scheduling.ts'
import * as store from './store.ts'
import { wakeAttendant } from './wake.ts'

/** Lets an agent call, now or at a time. What must not be is refused with its reason, and nothing was done. */
export async function startSession(ctx: Context, input: NewSession): Promise<Session> {
  return ctx.transaction(async ctx => {
    const { agent, lead, number } = await partsOf(ctx, input)
    const { scheduled_at, instructions } = input
    const wanted = { lead, number, agent, at: ctx.now() }
    if (scheduled_at !== undefined && scheduled_at > ctx.now()) {
      const refused = await refusalOfPerson(ctx, wanted)
      if (refused) throw refusalProblem([refused])
      const plan = { lead, agent, number: number!, at: scheduled_at, instructions, user_id: userOf(ctx) }
      return asSession(await scheduleAttempt(ctx, plan), undefined)
    }
    await store.lockBeginning(ctx)
    const refused = await refusalsOf(ctx, wanted)
    if (refused.length > 0) throw refusalProblem(refused)
    const call = await startCall(ctx, {
      kind: 'agent',
      direction: 'outbound',
      status: 'DIALING',
      lead_id: lead?.id ?? null,
      agent_id: agent.id,
      agent_version: agent.version,
      user_id: userOf(ctx),
      from: agent.phone_number,
      to: number,
      provider: ctx.runtime.ports.voice.kind,
    })
    if (instructions !== undefined) store.insertBrief(ctx, call.id, instructions)
    await placeCall(ctx, call, { agent, lead, instructions })
    return asSession(call, undefined)
  })
}

export async function isOnThePhone(ctx: Context, lead_id: string): Promise<boolean> {
  return store.isAttendedTo(ctx, lead_id, '')
}

/** Whether an agent could call now; nothing is begun. */
export async function checkCall(ctx: Context, input: CallAsked): Promise<CallCheck> {
  const { agent, lead, number } = await partsOf(ctx, input)
  const refused = await refusalsOf(ctx, { lead, number, agent, at: ctx.now() })
  const where = whereaboutsOf(lead?.timezone, number)
  return {
    may_call: refused.length === 0,
    refusals: refused.map(({ refusal, message, next_at }) => ({
      code: refusal,
      message,
      next_at: next_at ?? null,
    })),
    timezones: [...where.zones],
    timezone_from: where.source,
  }
}

export async function readSession(ctx: Context, id: string): Promise<Session> {
  return asSession(await getAgentCall(ctx, id), await store.findAttended(ctx, id))
}

/** Written down at once, and whispered by whichever process attends to the call. */
export async function pushPrompt(ctx: Context, id: string, text: string): Promise<Session> {
  return ctx.transaction(async ctx => {
    const call = await getAgentCall(ctx, id)
    const attended = await store.lockAttended(ctx, id)
    const session = asSession(call, attended)
    if (!session.live) {
      throw new Problem('conflict', 'This call is not active.', {
        code: 'not_live',
      })
    }
    const command = { id: ctx.newId(), call_id: id, kind: 'prompt' as const, text }
    store.insertCommand(ctx, command)
    await addLines(ctx, [
      { call_id: id, ref: `prompt:${command.id}`, speaker: 'person', text, at: ctx.now() },
    ])
    ctx.afterCommit(() => wakeAttendant(ctx.runtime))
    return session
  })
}

/** Ends an active call, or cancels a scheduled one. Repeating it changes nothing. */
export async function stopSession(ctx: Context, id: string): Promise<Session> {
  return ctx.transaction(async ctx => {
    const call = await getAgentCall(ctx, id)
    const attended = await store.lockAttended(ctx, id)
    const reason = `Stopped by ${ctx.actor.name ?? ctx.actor.kind}.`
    // Nobody attends to it any longer because it is over: what it ended with was kept in that moment, and is about to be told.
    if (!attended && wasAnswered(call)) return asSession(call, undefined)
    // It has not been dialled, and will not be: a process that holds it finds it gone.
    if (!attended || (attended.provider_call_id === null && attended.dialling_at === null)) {
      if (attended) store.removeAttended(ctx, [id])
      return asSession(await cancelCall(ctx, id, reason), undefined)
    }
    store.insertCommand(ctx, { id: ctx.newId(), call_id: id, kind: 'stop', text: reason })
    ctx.afterCommit(() => wakeAttendant(ctx.runtime))
    return asSession(call, attended)
  })
}

/** A call that ended by somebody else's word is not attended to any longer. */
export async function hangUpEnded(ctx: Context, id: string): Promise<void> {
  const attended = await store.lockAttended(ctx, id)
  if (!attended) return
  store.insertCommand(ctx, { id: ctx.newId(), call_id: id, kind: 'stop', text: 'The call has ended.' })
  ctx.afterCommit(() => wakeAttendant(ctx.runtime))
}

async function partsOf(ctx: Context, { lead_id, number, agent_id }: CallAsked) {
  if (lead_id === undefined && number === undefined)
    throw invalid([{ path: 'lead_id', message: 'a lead or a number is required' }])
  const agent = await findAgent(ctx, agent_id)
  const named = lead_id === undefined ? undefined : await findLead(ctx, lead_id)
  const faults = [
    ...(agent && !agent.deleted_at ? [] : [{ path: 'agent_id', message: 'is not an agent in this team' }]),
    ...(named || lead_id === undefined ? [] : [{ path: 'lead_id', message: 'is not a lead in this team' }]),
  ]
  if (faults.length > 0) throw invalid(faults)
  const lead: Lead | undefined = named ?? (await findCaller(ctx, number!))
  return { agent: agent as Agent, lead, number: number ?? lead?.phone ?? null }
}

async function getAgentCall(ctx: Context, id: string): Promise<CallRow> {
  const call = await findCall(ctx, id)
  if (call?.kind !== 'agent') throw new Problem('not_found', 'No such session.')
  return call
}

function asSession(call: CallRow, attended: store.AttendedRow | undefined): Session {
  const live = call.status === 'CONNECTED' && attended !== undefined
  return { ...shownInList(call), live }
}

function userOf({ principal }: Context): string | null {
  return principal?.user_id ?? null
}
