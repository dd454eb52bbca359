import type { Actor, Context } from '#platform/context.ts'
import { byKey } from '#platform/database/keyed.ts'
import { findEvent } from '#platform/event-log.ts'
import type { Event } from '#platform/events.ts'
import { isId } from '#platform/ids.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { Problem } from '#platform/problem.ts'
import type { Lead, LeadFilters, WhichLeads } from '#domains/leads/contract.ts'
import { countAsked, lockMatching } from '#domains/leads/listing.ts'
import { findLeadIdsByAddress, findLeads } from '#domains/leads/service.ts'
import { leadsOfInbound, noteAutomations } from '#domains/webhooks/effects.ts'
import type { Started } from './contract.ts'
import { holds } from './fields.ts'
import { advanceRuns, type AdvancingRun } from './advance-runs.ts'
import { programOf } from './programs.ts'
import * as store from './run-store.ts'
import type { RunRow } from './run-store.ts'
import { begin } from './state.ts'
import { findHearing, records, type Listener } from './store.ts'
import { CHAIN_MAX } from './values.ts'

export const START_JOB = 'workflows.start_matching'
const START_BLOCK_LEADS = 200

/**
 * Starts runs for events of one type and one team: each event triggers its workflows once. Their immediate
 * actions are part of the same transaction, which also ends the jobs that brought the events.
 */
export async function startOn(ctx: Context, heard: readonly { event: Event }[]): Promise<void> {
  byKey(ctx)
  const listeners = await findHearing(ctx, heard[0]!.event.type)
  if (listeners.length === 0) return noteInbound(ctx, heard, [])
  const leadIds = await leadIdsOf(
    ctx,
    heard.map(({ event }) => event),
  )
  const leads = await leadsById(ctx, [...leadIds.values()])
  const chains = await chainsOf(
    ctx,
    heard.map(({ event }) => event),
  )
  const wanted: Wanted[] = []
  for (const { event } of heard) {
    const lead = leads.get(leadIds.get(event.id) ?? '') ?? null
    const payload = payloadOf(event)
    for (const listener of listeners) {
      if (!listener.filters.every(filter => holds({ event: payload, lead }, filter))) continue
      const chain = chains.get(event.id) ?? 0
      const subject = { subject_kind: event.subject_kind, subject_id: event.subject_id }
      wanted.push({ listener, event_key: event.id, event_id: event.id, payload, lead, chain, ...subject })
    }
  }
  const begun = await beginRuns(ctx, wanted)
  noteInbound(ctx, heard, begun)
}

/** Manually, for these leads. */
export async function startFor(ctx: Context, id: string, lead_ids: readonly string[]): Promise<Started> {
  return ctx.transaction(async ctx => {
    const listener = await listenerOf(ctx, id)
    const leads = await leadsById(ctx, lead_ids)
    const missing = lead_ids.filter(id => !leads.has(id))
    if (missing.length > 0) throw new Problem('not_found', 'No such lead.')
    const by = ctx.newId()
    const begun = await beginRuns(
      ctx,
      [...leads.values()].map(lead => byHand(listener, lead, by)),
    )
    return { runs: begun.length, passed_over: leads.size - begun.length }
  })
}

/** Manually, for all matching leads: block by block, in the background. */
export async function startMatching(
  ctx: Context,
  id: string,
  asked: WhichLeads,
): Promise<{ matching: number }> {
  return ctx.transaction(async ctx => {
    await listenerOf(ctx, id)
    const { filter, count: matching } = await countAsked(ctx, asked)
    const { actor } = ctx
    const data: Block = { workflow_id: id, filter, by: ctx.newId(), after: '', until: ctx.now(), actor }
    if (matching > 0) enqueue(ctx, { kind: START_JOB, data })
    return { matching }
  })
}

type Block = {
  workflow_id: string
  filter: LeadFilters
  by: string
  after: string
  until: string
  actor: Actor
}

/** One block; the next is a job of its own. */
export async function startBlock(ctx: Context, job: Job): Promise<void> {
  const block = job.data as Block
  const workflow = await records.find(ctx, block.workflow_id)
  if (!workflow || workflow.deleted_at || workflow.version === 0) return
  const leads = await lockMatching(ctx, block.filter, { ...block, limit: START_BLOCK_LEADS })
  await beginRuns(
    ctx.as(block.actor),
    leads.map(lead => byHand(workflow, lead, block.by)),
  )
  if (leads.length === START_BLOCK_LEADS)
    enqueue(ctx, { kind: START_JOB, data: { ...block, after: leads.at(-1)!.id } })
}

/** Again from the start, on the latest version. */
export async function startAgain(ctx: Context, before: RunRow): Promise<RunRow> {
  const listener = await listenerOf(ctx, before.workflow_id)
  const leads = await leadsById(ctx, before.lead_id ? [before.lead_id] : [])
  const [run] = await beginRuns(ctx, [
    {
      listener: { ...listener, once_per_lead: false },
      event_key: `again:${ctx.newId()}`,
      event_id: before.event_id,
      payload: await triggerDataOf(ctx, before),
      lead: leads.get(before.lead_id ?? '') ?? null,
      chain: before.chain,
      subject_kind: before.subject_kind,
      subject_id: before.subject_id,
    },
  ])
  return run!
}

/** What triggered a run, as long as it is kept. */
export async function triggerDataOf(
  ctx: Context,
  { event, event_id }: Pick<RunRow, 'event' | 'event_id'>,
): Promise<Record<string, unknown>> {
  if (event) return event
  const found = event_id === null ? undefined : await findEvent(ctx, event_id)
  return found ? payloadOf(found) : {}
}

type Wanted = {
  listener: Listener
  event_key: string
  event_id: string | null
  payload: Record<string, unknown>
  lead: Lead | null
  chain: number
  subject_kind: string | null
  subject_id: string | null
}

/** The new ones: a repeated event, or a lead that has been through it, starts nothing. */
async function beginRuns(ctx: Context, wanted: readonly Wanted[]): Promise<RunRow[]> {
  if (wanted.length === 0) return []
  const rows = wanted.map(one => ({ one, row: rowOf(ctx, one) }))
  const taken = new Set(
    (
      await store.findBegun(
        ctx,
        rows.map(({ row }) => row),
      )
    ).flatMap(keysOf),
  )
  const fresh = rows.filter(({ row }) => {
    const keys = keysOf(row)
    if (keys.some(key => taken.has(key))) return false
    for (const key of keys) taken.add(key)
    return true
  })
  const going: AdvancingRun[] = []
  for (const { one, row } of fresh) {
    const { id, name, version, author_id, once_per_lead } = one.listener
    going.push({
      row,
      isNew: true,
      workflow: { id, name, version, author_id, once_per_lead },
      program: one.chain > CHAIN_MAX ? nothing : await programOf(ctx, id, version),
      lead: one.lead,
    })
  }
  const [circles, others] = [
    going.filter(({ row }) => row.chain > CHAIN_MAX),
    going.filter(({ row }) => row.chain <= CHAIN_MAX),
  ]
  if (others.length > 0) await advanceRuns(ctx, others)
  store.insertRuns(
    ctx,
    circles.map(({ row }) => inCircle(row)),
  )
  return fresh.map(({ row }) => row)
}
const nothing = { lists: new Map() }

function keysOf({ workflow_id, event_key, once_key }: store.Begun): string[] {
  return [`${workflow_id} ${event_key}`, ...(once_key === null ? [] : [`${workflow_id} once ${once_key}`])]
}

function rowOf(ctx: Context, wanted: Wanted): RunRow {
  const { listener, lead } = wanted
  const at = ctx.now()
  return {
    team_id: ctx.team_id,
    id: ctx.newId(),
    workflow_id: listener.id,
    version: listener.version,
    status: 'RUNNING',
    lead_id: lead?.id ?? null,
    event_key: wanted.event_key,
    event_id: wanted.event_id,
    once_key: listener.once_per_lead ? (lead?.id ?? null) : null,
    event: wanted.payload,
    subject_kind: wanted.subject_kind,
    subject_id: wanted.subject_id,
    state: begin(),
    wait_id: null,
    next_at: null,
    chain: wanted.chain,
    parts: 0,
    trace: null,
    error: null,
    failed_path: null,
    created_at: at,
    updated_at: at,
    ended_at: null,
  }
}

/** Stored, so that people can see why nothing more happens. */
function inCircle(row: RunRow): RunRow {
  const error = `Workflows triggered each other ${CHAIN_MAX} times in a row: they form a loop.`
  return { ...row, status: 'FAILED', error, ended_at: row.created_at, chain: CHAIN_MAX + 1 }
}

function byHand(listener: Listener, lead: Lead, by: string): Wanted {
  return {
    listener,
    event_key: `hand:${by}:${lead.id}`,
    event_id: null,
    payload: {},
    lead,
    chain: 0,
    subject_kind: 'lead',
    subject_id: lead.id,
  }
}

/** A published workflow; it need not be active to be started manually. */
async function listenerOf(ctx: Context, id: string): Promise<Listener> {
  const workflow = await records.get(ctx, id)
  if (workflow.version > 0) return workflow
  throw new Problem('conflict', 'This workflow has never been published.', { code: 'not_published' })
}

/** The `event` of conditions and texts: a provider's data as sent, or the data of our own events. */
function payloadOf({ type, data }: Event): Record<string, unknown> {
  return type.startsWith('webhook:') ? ((data.data ?? {}) as Record<string, unknown>) : data
}

async function leadsById(ctx: Context, ids: readonly string[]): Promise<Map<string, Lead>> {
  if (ids.length === 0) return new Map()
  const leads = await findLeads(ctx, [...new Set(ids)])
  return new Map(leads.filter(({ deleted_at }) => !deleted_at).map(lead => [lead.id, lead]))
}

/**
 * The lead of each event: as determined by the part that handled it; else the lead it names, or the one with
 * the number or address it names.
 */
async function leadIdsOf(ctx: Context, events: readonly Event[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const inbound = events.filter(({ subject_kind }) => subject_kind === 'inbound_event')
  const known = await leadsOfInbound(
    ctx,
    inbound.map(({ subject_id }) => subject_id),
  )
  for (const event of events) {
    const id =
      event.lead_id ??
      known.get(event.subject_id) ??
      (event.subject_kind === 'lead' ? event.subject_id : await namedLead(ctx, event))
    if (id) ids.set(event.id, id)
  }
  return ids
}

async function namedLead(ctx: Context, event: Event): Promise<string | undefined> {
  if (!event.type.startsWith('webhook:')) return undefined
  const { leadId, from, to, direction, email } = payloadOf(event)
  if (isId(leadId)) return leadId
  const phones = direction === 'inbound' ? [from, to] : [to, from]
  for (const phone of phones) {
    if (typeof phone !== 'string' || !phone.startsWith('+')) continue
    const [id] = await findLeadIdsByAddress(ctx, 'phone', phone)
    if (id) return id
  }
  for (const address of [to, email].flat()) {
    if (typeof address !== 'string' || !address.includes('@')) continue
    const [id] = await findLeadIdsByAddress(ctx, 'email', address.toLowerCase())
    if (id) return id
  }
  return undefined
}

/** How many workflows triggered each other before each of these events. */
async function chainsOf(ctx: Context, events: readonly Event[]): Promise<Map<string, number>> {
  const made = events.filter(({ actor_kind, actor_id }) => actor_kind === 'workflow' && actor_id !== null)
  if (made.length === 0) return new Map()
  const causes = made.map(({ actor_id, cause_id }) => ({ workflow_id: actor_id!, event_key: cause_id ?? '' }))
  const known = new Map(
    (await store.findChains(ctx, causes)).map(({ workflow_id, event_key, chain }) => [
      `${workflow_id} ${event_key}`,
      chain,
    ]),
  )
  return new Map(
    made.map(({ id, actor_id, cause_id }) => [id, (known.get(`${actor_id} ${cause_id ?? ''}`) ?? 0) + 1]),
  )
}

/** The webhook inbox shows how an event was handled. */
function noteInbound(ctx: Context, heard: readonly { event: Event }[], begun: readonly RunRow[]): void {
  const inbound = heard.filter(({ event }) => event.subject_kind === 'inbound_event')
  if (inbound.length === 0) return
  const byEvent = Map.groupBy(begun, ({ event_id }) => event_id)
  const notes = inbound.map(({ event }) => ({
    inbound_id: event.subject_id,
    note: ranWords(byEvent.get(event.id)?.length ?? 0),
  }))
  noteAutomations(ctx, inbound[0]!.event.type, notes)
}

function ranWords(count: number): string | null {
  if (count === 0) return null
  return count === 1 ? 'One workflow ran.' : `${count} workflows ran.`
}
