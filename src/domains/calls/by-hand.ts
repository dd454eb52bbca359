import type { Context } from '#platform/context.ts'
import { tidyInstant } from '#platform/clock.ts'
import { invalid, Problem, type Fault } from '#platform/problem.ts'
import { unchangedSince } from '#platform/version.ts'
import { findLead, livingLeads } from '#domains/leads/service.ts'
import type { Call, CallChange, NewCall } from './contract.ts'
import { attachLead } from './outcome.ts'
import { hasEnded } from './model.ts'
import {
  connectCall,
  endCall,
  lockKnown,
  noteFields,
  shown,
  startCall,
  write,
  type CallEnd,
} from './service.ts'
import type { CallRow } from './store.ts'

/** A call that somebody makes now, or has made. One that is written down afterwards is over unless it says otherwise. */
export async function createCall(ctx: Context, input: NewCall): Promise<Call> {
  return ctx.transaction(async ctx => {
    const { kind = 'manual', direction = 'outbound', lead_id, notes } = input
    const status = input.status ?? (kind === 'human' ? 'DIALING' : 'ENDED')
    const lead = await findLead(ctx, lead_id)
    const started_at = input.started_at === undefined ? ctx.now() : tidyInstant(input.started_at)
    const faults = [...faultsIn(input, status), ...(lead ? [] : [NO_LEAD])]
    if (started_at > ctx.now()) faults.push({ path: 'started_at', message: 'must not be in the future' })
    if (faults.length > 0) throw invalid(faults)
    const begun = await startCall(ctx, {
      kind,
      direction,
      status: 'DIALING',
      lead_id,
      agent_id: null,
      agent_version: null,
      user_id: ctx.principal?.user_id ?? null,
      from: direction === 'inbound' ? lead!.phone : null,
      to: direction === 'outbound' ? lead!.phone : null,
      provider: null,
      started_at,
    })
    const { outcome, summary, recording_url } = input
    const noted = { ...(notes && { notes }) }
    const moved = await moveTo(ctx, begun, status, {
      ...input,
      at: endTime(ctx, started_at, input.duration_sec),
    })
    const rest = hasEnded(status) ? noted : { ...noted, ...given({ outcome, summary, recording_url }) }
    return shown(ctx, Object.keys(rest).length > 0 ? await write(ctx, moved, rest) : moved)
  })
}

/** Its notes and result, the lead and, for a call made by a person, its progress. */
export async function changeCall(
  ctx: Context,
  id: string,
  change: CallChange,
  ifMatch?: string,
): Promise<Call> {
  return ctx.transaction(async ctx => {
    const call = unchangedSince(await lockKnown(ctx, id), ifMatch)
    const { status, duration_sec, lead_id, ...fields } = change
    const faults = await changeFaults(ctx, call, change)
    if (faults.length > 0) throw invalid(faults)
    const changed = await noteFields(ctx, call, fields)
    const known = lead_id === undefined ? changed : await giveLead(ctx, changed, lead_id)
    const moved = status ? await moveTo(ctx, known, status, { duration_sec, at: ctx.now() }) : known
    const mended =
      status || duration_sec === undefined ? moved : await noteFields(ctx, moved, { duration_sec })
    return shown(ctx, mended)
  })
}

const NO_LEAD: Fault = { path: 'lead_id', message: 'is not a lead in this team' }

function faultsIn({ duration_sec }: NewCall, status: CallRow['status']): Fault[] {
  const isLong = duration_sec !== undefined && !hasEnded(status)
  return isLong ? [{ path: 'duration_sec', message: 'is only allowed for a finished call' }] : []
}

async function changeFaults(ctx: Context, call: CallRow, change: CallChange): Promise<Fault[]> {
  const { status, duration_sec, lead_id } = change
  const faults: Fault[] = []
  if (lead_id && !(await livingLeads(ctx, [lead_id])).has(lead_id)) faults.push(NO_LEAD)
  if (status && call.kind === 'agent') throw attended()
  const after = status ?? call.status
  if (duration_sec !== undefined && (call.kind === 'agent' || !hasEnded(after))) {
    faults.push({ path: 'duration_sec', message: 'is only allowed for a finished call made by a person' })
  }
  return faults
}

async function giveLead(ctx: Context, call: CallRow, lead_id: string | null): Promise<CallRow> {
  if (lead_id === null) return noteFields(ctx, call, { lead_id })
  return lead_id === call.lead_id ? call : attachLead(ctx, call, lead_id)
}

type Moved = Partial<Omit<CallEnd, 'status'>> & { at: string }

async function moveTo(ctx: Context, call: CallRow, to: CallRow['status'], moved: Moved): Promise<CallRow> {
  if (to === 'CONNECTED') return connectCall(ctx, call.id, moved.at)
  if (!hasEnded(to) || to === 'CANCELLED') return call
  const { at, duration_sec, outcome, summary, recording_url } = moved
  return endCall(ctx, call.id, { status: to, at, duration_sec, outcome, summary, recording_url })
}

function endTime(ctx: Context, started_at: string, duration_sec = 0): string {
  const end = new Date(Date.parse(started_at) + duration_sec * 1000).toISOString()
  return end < ctx.now() ? end : ctx.now()
}

function given<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>
}

function attended(): Problem {
  return new Problem('conflict', 'This call is handled by an agent. Stop its session instead.', {
    code: 'call_of_an_agent',
  })
}
