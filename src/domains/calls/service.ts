import type { Context } from '#platform/context.ts'
import { inTurn } from '#platform/database/at-once.ts'
import { record } from '#platform/events.ts'
import { Problem } from '#platform/problem.ts'
import { difference } from '#platform/records.ts'
import { nextVersion } from '#platform/version.ts'
import { addAddress } from './address-store.ts'
import { callEvents, type Call, type CallInList, type FollowUp, type ListCalls } from './contract.ts'
import { bookedIn, decideFollowUp } from './follow-up.ts'
import { followLead } from './lead.ts'
import { readTranscript } from './lines.ts'
import { hasEnded, movesOn, summaryOf, type EndState } from './model.ts'
import * as store from './store.ts'
import type { CallRow } from './store.ts'
import { keptLine } from './text.ts'
import { DURATION_SEC_MAX, type CallDirection, type CallKind, type CallState } from './values.ts'

export { addLines, awaitTool, type NewLine } from './lines.ts'
export { leadOfCaller } from './callers.ts'
export {
  findByProvider,
  findBySource,
  findCall,
  findLiveOfLead,
  findNamedCall,
  findOfLead as findCallsOfLead,
} from './store.ts'
export type { CallRow } from './store.ts'

export type NewCallRow = {
  id?: string
  kind: CallKind
  direction: CallDirection
  status: CallState
  lead_id: string | null
  agent_id: string | null
  agent_version: number | null
  user_id: string | null
  from: string | null
  to: string | null
  provider: string | null
  provider_call_id?: string | null
  scheduled_at?: string | null
  started_at?: string
  attempt?: number
  source_key?: string | null
}

/**
 * Creates a call that is scheduled, ringing or starting. Repeating it with the same key or name returns the
 * same call. For a state that is only passed through, the next transition updates the lead.
 */
export async function startCall(
  ctx: Context,
  input: NewCallRow,
  { passing = false }: { passing?: boolean } = {},
): Promise<CallRow> {
  return ctx.transaction(async ctx => {
    const row = newCall(ctx, input)
    if (!(await store.insertCall(ctx, row))) return known(ctx, row)
    if (row.provider_call_id) await addAddress(ctx, { name: row.provider_call_id, call_id: row.id })
    record(ctx, callEvents.started, about(row), told(row))
    if (!passing) await followLead(ctx, row)
    return row
  })
}

/** The provider's name for the call. */
export async function nameProvider(
  ctx: Context,
  call_id: string,
  provider: string,
  provider_call_id: string,
): Promise<void> {
  await ctx.transaction(async ctx => {
    const call = await store.lockCall(ctx, call_id)
    if (!call || call.provider_call_id === provider_call_id) return
    await write(ctx, call, { provider, provider_call_id })
    await addAddress(ctx, { name: provider_call_id, call_id })
  })
}

/**
 * The scheduled time has come. A call that was cancelled in the meantime stays cancelled, and one that is
 * already ringing keeps ringing.
 */
export async function dialCall(ctx: Context, id: string): Promise<CallRow> {
  return moving(ctx, id, 'DIALING', async (ctx, call) => {
    const dialled = await write(ctx, call, { status: 'DIALING', started_at: ctx.now() })
    record(ctx, callEvents.started, about(dialled), told(dialled))
    await followLead(ctx, dialled)
    return dialled
  })
}

export async function connectCall(ctx: Context, id: string, at: string): Promise<CallRow> {
  return holding(ctx, id, async (ctx, call) => {
    if (!movesOn(call.status, 'CONNECTED')) return noteLateConnection(ctx, call, at)
    const connected = await write(ctx, call, { status: 'CONNECTED', connected_at: at })
    record(ctx, callEvents.connected, about(connected), told(connected))
    await followLead(ctx, connected)
    return connected
  })
}

export type CallEnd = {
  status: Exclude<EndState, 'CANCELLED'>
  at: string
  duration_sec?: number | undefined
  outcome?: string | undefined
  summary?: string | undefined
  recording_url?: string | undefined
  reason?: string | undefined
}

/** Ends a call, once: its duration, the lead's status and the follow-up are decided together. */
export async function endCall(ctx: Context, id: string, end: CallEnd): Promise<CallRow> {
  return holding(ctx, id, async (ctx, call) => {
    if (!movesOn(call.status, end.status)) return noteLateEnd(ctx, call, end)
    const over = { ...call, ...endOf(call, end) }
    const { follow_up } = await decideFollowUp(ctx, over)
    const ended = await write(ctx, call, { ...endOf(call, end), follow_up })
    recordEnd(ctx, ended)
    await followLead(ctx, ended)
    return ended
  })
}

/**
 * A call that is first heard of when it is over: the same as starting it in passing and ending it, but written once. `by`
 * ends it.
 */
export async function addEndedCall(
  ctx: Context,
  by: Context,
  input: NewCallRow,
  end: CallEnd,
): Promise<CallRow> {
  const row = newCall(ctx, input)
  const over = { ...row, ...endOf(row, end) }
  const { follow_up } = await decideFollowUp(by, over)
  const ended = { ...over, follow_up }
  // Its name is locked: only a call that got the same name in another way is in between.
  if (!(await store.insertCall(ctx, ended))) throw new Error('a call of this name was created meanwhile')
  if (row.provider_call_id) await addAddress(ctx, { name: row.provider_call_id, call_id: row.id })
  record(ctx, callEvents.started, about(row), told(row))
  recordEnd(by, ended)
  await followLead(by, ended)
  return ended
}

/**
 * Before it was answered, or when it is no longer wanted. `task`: create a task for a person to call instead.
 */
export async function cancelCall(
  ctx: Context,
  id: string,
  reason: string,
  task?: { id: string; due_at: string | null },
): Promise<CallRow> {
  return moving(ctx, id, 'CANCELLED', async (ctx, call) => {
    const end_reason = keptLine(reason, LINE_MAX) ?? null
    const why = end_reason ?? 'The call was cancelled.'
    const follow_up: FollowUp = task
      ? { intent: 'task', reason: why, task_id: task.id, ...(task.due_at && { at: task.due_at }) }
      : { intent: 'none', reason: why }
    const ended = await write(ctx, call, { status: 'CANCELLED', ended_at: ctx.now(), end_reason, follow_up })
    const changes = difference(call, { status: ended.status, end_reason })!
    record(ctx, callEvents.changed, about(ended), changes)
    if (call.status !== 'SCHEDULED') await followLead(ctx, ended)
    return ended
  })
}

/** The follow-up of an unsuccessful call is the next attempt: it now points there. */
export async function linkNext(
  ctx: Context,
  id: string,
  next: Pick<CallRow, 'id' | 'scheduled_at'>,
): Promise<void> {
  await holding(ctx, id, async (ctx, call) => {
    const before = call.follow_up
    if (before?.intent !== 'retry' || before.call_id === next.id) return
    const follow_up = { ...before, call_id: next.id, at: next.scheduled_at ?? before.at! }
    const linked = await write(ctx, call, { follow_up })
    record(ctx, callEvents.changed, about(linked), { before: { follow_up: before }, after: { follow_up } })
  })
}

/** Reschedules a call that has not started. */
export async function moveCall(ctx: Context, id: string, scheduled_at: string): Promise<CallRow> {
  return holding(ctx, id, async (ctx, call) => {
    if (call.status !== 'SCHEDULED' || call.scheduled_at === scheduled_at) return call
    const moved = await write(ctx, call, { scheduled_at })
    const [before, after] = [{ scheduled_at: call.scheduled_at }, { scheduled_at }]
    record(ctx, callEvents.changed, about(moved), { before, after })
    return moved
  })
}

export async function listCalls(ctx: Context, query: ListCalls) {
  const { data, next_cursor } = await store.listCalls(ctx, query)
  return { data: data.map(shownInList), next_cursor }
}

export async function readCall(ctx: Context, id: string): Promise<Call> {
  const row = await store.findCall(ctx, id)
  if (!row) throw absent()
  return shown(ctx, row)
}

export async function shown(ctx: Context, row: CallRow): Promise<Call> {
  return { ...shownInList(row), transcript: await readTranscript(ctx, row.id) }
}

/** For lists, and wherever the transcript is not needed. */
export function shownInList({ provider_call_id: _name, source_key: _key, ...call }: CallRow): CallInList {
  return call
}

function recordEnd(ctx: Context, call: CallRow): void {
  record(ctx, callEvents.ended, about(call), {
    ...told(call),
    callId: call.id,
    leadId: call.lead_id,
    durationSec: call.duration_sec ?? 0,
    outcome: call.outcome,
    summary: call.summary,
    follow_up: call.follow_up!,
  })
}

export async function lockKnown(ctx: Context, id: string): Promise<CallRow> {
  const call = await store.lockCall(ctx, id)
  if (!call) throw absent()
  return call
}

/** The call, locked against other changes. */
export async function holding<Result>(
  ctx: Context,
  id: string,
  work: (ctx: Context, call: CallRow) => Promise<Result>,
): Promise<Result> {
  return ctx.transaction(ctx => inTurn(ctx, `call ${id}`, async () => work(ctx, await lockKnown(ctx, id))))
}

/** Writes the differences without recording an event. */
export async function write(ctx: Context, call: CallRow, fields: Partial<CallRow>): Promise<CallRow> {
  const written = { ...fields, updated_at: nextVersion(call.updated_at, ctx.now()) }
  await store.updateCall(ctx, { id: call.id, fields: written })
  return { ...call, ...written }
}

/** The same, and records an event. */
export async function noteFields(ctx: Context, call: CallRow, fields: Partial<CallRow>): Promise<CallRow> {
  const changes = difference(call, fields)
  if (!changes) return call
  const changed = await write(ctx, call, changes.after)
  record(ctx, callEvents.changed, about(changed), changes)
  return changed
}

export function about({ id, lead_id }: CallRow) {
  return { kind: 'call', id, lead_id }
}

export function told({ kind, direction, status, agent_id, from, to }: CallRow) {
  return { kind, direction, status, agent_id, from, to }
}

const LINE_MAX = 500

function newCall(ctx: Context, input: NewCallRow): CallRow {
  const at = ctx.now()
  const { status, started_at = at } = input
  return {
    id: input.id ?? ctx.newId(),
    kind: input.kind,
    direction: input.direction,
    status,
    lead_id: input.lead_id,
    agent_id: input.agent_id,
    agent_version: input.agent_version,
    user_id: input.user_id,
    from: input.from,
    to: input.to,
    scheduled_at: input.scheduled_at ?? null,
    started_at,
    connected_at: status === 'CONNECTED' ? started_at : null,
    ended_at: null,
    duration_sec: null,
    outcome: null,
    summary: null,
    notes: null,
    recording_url: null,
    follow_up: null,
    end_reason: null,
    attempt: input.attempt ?? 1,
    provider: input.provider,
    provider_call_id: input.provider_call_id ?? null,
    source_key: input.source_key ?? null,
    created_at: at,
    updated_at: at,
  }
}

async function known(ctx: Context, { id, provider_call_id, source_key }: CallRow): Promise<CallRow> {
  const call =
    (await store.findCall(ctx, id)) ??
    (source_key ? await store.findBySource(ctx, source_key) : undefined) ??
    (provider_call_id ? await store.findByProvider(ctx, provider_call_id) : undefined)
  if (!call) throw new Error('an existing call cannot be found')
  return call
}

async function moving(
  ctx: Context,
  id: string,
  to: CallState,
  move: (ctx: Context, call: CallRow) => Promise<CallRow>,
): Promise<CallRow> {
  return holding(ctx, id, async (ctx, call) => (movesOn(call.status, to) ? move(ctx, call) : call))
}

/** An end that arrived first wins; only the time they started to speak is still new. */
async function noteLateConnection(ctx: Context, call: CallRow, at: string): Promise<CallRow> {
  if (!hasEnded(call.status) || call.connected_at !== null) return call
  const connected_at = call.ended_at !== null && call.ended_at < at ? call.ended_at : at
  const connected = await write(ctx, call, { connected_at })
  await followLead(ctx, connected)
  return connected
}

/** A repeated event may add what was missing, but never replaces what is there. */
async function noteLateEnd(ctx: Context, call: CallRow, { recording_url }: CallEnd): Promise<CallRow> {
  if (!recording_url || call.recording_url !== null) return call
  return write(ctx, call, { recording_url })
}

function endOf(
  call: CallRow,
  { status, at, outcome, recording_url, reason, ...end }: CallEnd,
): Partial<CallRow> {
  const measured = call.connected_at === null ? 0 : (Date.parse(at) - Date.parse(call.connected_at)) / 1000
  const duration_sec = Math.round(Math.min(Math.max(end.duration_sec ?? measured, 0), DURATION_SEC_MAX))
  const summary = end.summary ?? call.summary
  return {
    status,
    ended_at: at,
    duration_sec,
    connected_at: call.connected_at ?? (status === 'ENDED' ? beginning(call, at, duration_sec) : null),
    outcome: outcome ?? call.outcome,
    summary: summary ?? summaryOf({ ...call, status, duration_sec }, bookedIn(call)),
    end_reason: keptLine(reason, LINE_MAX) ?? null,
    ...(recording_url && { recording_url }),
  }
}

/** When they started to speak, if it was not reported in time. */
function beginning({ started_at }: CallRow, at: string, duration_sec: number): string {
  const began = new Date(Date.parse(at) - duration_sec * 1000).toISOString()
  return began < started_at ? (started_at < at ? started_at : at) : began
}

export function absent(): Problem {
  return new Problem('not_found', 'No such call.')
}
