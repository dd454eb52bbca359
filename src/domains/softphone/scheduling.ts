import type { Context } from '#platform/context.ts'
import type { EventOf } from '#platform/events.ts'
import { enqueue, fence, type Job } from '#platform/jobs/queue.ts'
import type { Agent } from '#domains/agents/contract.ts'
import { findAgent } from '#domains/agents/service.ts'
import type { callEvents } from '#domains/calls/contract.ts'
import {
  cancelCall,
  dialCall,
  findCall,
  linkNext,
  moveCall,
  startCall,
  type CallRow,
} from '#domains/calls/service.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { findLead } from '#domains/leads/service.ts'
import { makeTask } from './by-people.ts'
import { placeCall } from './place-call.ts'
import { refusalOfTime, refusalsOf, type Refused } from './rules.ts'
import * as store from './store.ts'
import { passingRefusals } from './values.ts'

export const DUE_JOB = 'softphone.due'
/** How long, and how often, to wait for a temporary obstacle to pass. */
const PUT_OFF_MS = 5 * 60_000
const PUT_OFFS_MAX = 12
const AGENT_GONE = 'The agent is in the trash.'

export type Plan = {
  lead: Lead | undefined
  agent: Agent
  number: string | null
  at: string
  instructions?: string | undefined
  user_id?: string | null
  attempt?: number
  source_key?: string
}

/** Writes down a call for later, outside quiet hours. One source key, one call. */
export async function scheduleAttempt(ctx: Context, plan: Plan): Promise<CallRow> {
  const { lead, agent, number, instructions, user_id = null, attempt = 1, source_key } = plan
  const scheduled_at = refusalOfTime(plan)?.next_at ?? plan.at
  return ctx.transaction(async ctx => {
    const id = ctx.newId()
    const call = await startCall(ctx, {
      id,
      kind: 'agent',
      direction: 'outbound',
      status: 'SCHEDULED',
      lead_id: lead?.id ?? null,
      agent_id: agent.id,
      agent_version: agent.version,
      user_id,
      from: agent.phone_number,
      to: number,
      provider: ctx.runtime.ports.voice.kind,
      scheduled_at,
      attempt,
      ...(source_key !== undefined && { source_key }),
    })
    if (call.id !== id) return call
    if (instructions !== undefined) store.insertBrief(ctx, id, instructions)
    enqueue(ctx, { kind: DUE_JOB, data: { call_id: id }, run_at: scheduled_at })
    return call
  })
}

type Due = { call_id: string; put_offs?: number }

/**
 * The scheduled time has come: the call is placed, moved, or cancelled with the reason. Changes in the
 * meantime are considered.
 */
export async function makeDue(ctx: Context, job: Job): Promise<void> {
  const { call_id, put_offs = 0 } = job.data as Due
  await ctx.transaction(async ctx => {
    fence(ctx, job)
    const call = await findCall(ctx, call_id)
    // One that was moved has a job of its own.
    if (call?.status !== 'SCHEDULED' || (call.scheduled_at ?? '') > ctx.now()) return
    await store.lockBeginning(ctx)
    const agent = call.agent_id === null ? undefined : await findAgent(ctx, call.agent_id)
    const lead = call.lead_id === null ? undefined : await findLead(ctx, call.lead_id)
    if (!agent || agent.deleted_at) return giveUp(ctx, call, lead, AGENT_GONE)
    if (call.lead_id !== null && !lead)
      return void (await cancelCall(ctx, call.id, 'The lead is in the trash.'))
    const [refused] = await refusalsOf(ctx, { lead, number: call.to, agent, at: ctx.now() })
    if (refused) return putOffOrCancel(ctx, call, lead, refused, put_offs)
    const dialled = await dialCall(ctx, call.id)
    const instructions = await store.findBrief(ctx, call.id)
    await placeCall(ctx, dialled, { agent, lead, instructions })
  })
}

/** An attempt that came to nothing is followed by the next, as far as the agent may. */
export async function scheduleRetry(ctx: Context, event: EventOf<typeof callEvents.ended>): Promise<void> {
  const { follow_up } = event.data
  if (follow_up?.intent !== 'retry' || follow_up.at === undefined) return
  const call = await findCall(ctx, event.subject_id)
  const agent = call?.agent_id ? await findAgent(ctx, call.agent_id) : undefined
  if (!call) return
  const lead = call.lead_id === null ? undefined : await findLead(ctx, call.lead_id)
  if (call.lead_id !== null && !lead) return
  if (!agent || agent.deleted_at) return void (lead && (await makeTask(ctx, call, lead, AGENT_GONE)))
  if (call.attempt >= agent.outbound.attempts_max) return
  const next = await scheduleAttempt(ctx, {
    lead,
    agent,
    number: call.to,
    at: follow_up.at,
    instructions: await store.findBrief(ctx, call.id),
    user_id: call.user_id,
    attempt: call.attempt + 1,
    source_key: `retry:${call.id}`,
  })
  await linkNext(ctx, call.id, next)
}

async function putOffOrCancel(
  ctx: Context,
  call: CallRow,
  lead: Lead | undefined,
  { refusal, message, next_at }: Refused,
  put_offs: number,
): Promise<void> {
  const passes = passingRefusals.includes(refusal) && put_offs < PUT_OFFS_MAX
  const at = next_at ?? (passes ? ctx.in(PUT_OFF_MS) : undefined)
  // A suppressed lead is called by no one.
  if (at === undefined) return giveUp(ctx, call, refusal === 'suppressed' ? undefined : lead, message)
  await moveCall(ctx, call.id, at)
  const data: Due = { call_id: call.id, put_offs: next_at ? put_offs : put_offs + 1 }
  enqueue(ctx, { kind: DUE_JOB, data, run_at: at })
}

/** A call that something else asked for, a workflow or an attempt before it, is left to a person; nobody else waits for it. */
async function giveUp(ctx: Context, call: CallRow, lead: Lead | undefined, reason: string): Promise<void> {
  const task = lead && call.source_key !== null ? await makeTask(ctx, call, lead, reason) : undefined
  await cancelCall(ctx, call.id, reason, task)
}
