import type { Context } from '#platform/context.ts'
import { listCaused } from '#platform/event-log.ts'
import { record } from '#platform/events.ts'
import { enqueue, insertListenedJobs, insertJobs, jobRow, type Job } from '#platform/jobs/queue.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { inboxReplayed, type InboundEvent, type InboundEventInFull, type ReplayWindow } from './contract.ts'
import { RECORD_JOB } from './routing.ts'
import * as store from './store.ts'
import type { InboundRow } from './store.ts'
import type { InboundStatus } from './values.ts'

export const REPLAY_JOB = 'webhooks.replay_window'
const CAUSED_MAX = 100
const REPLAYS_PER_JOB = 200

/** What a replay is usually for. */
const unfinished: InboundStatus[] = ['accepted', 'waiting', 'unmatched', 'failed']

export const listInbox = store.listInbound

export async function readInboxEvent(ctx: Context, id: string): Promise<InboundEventInFull> {
  const row = await getInbound(ctx, id)
  const effects = await store.findEffects(ctx, row)
  const caused = row.recorded_id ? await listCaused(ctx, row.recorded_id, CAUSED_MAX) : []
  return {
    ...shown(row),
    body: row.body,
    effects,
    caused: caused.map(({ id, type, subject_kind, subject_id, lead_id, at }) => ({
      event_id: id,
      type,
      subject: { kind: subject_kind, id: subject_id },
      lead_id,
      at,
    })),
  }
}

/** Runs its reactions again: those that have not done their part, and those that did not exist when it came. */
export async function replayInboxEvent(ctx: Context, id: string): Promise<InboundEvent> {
  return ctx.transaction(async ctx => {
    const row = await store.lockInbound(ctx, id)
    if (!row) throw absent()
    if (row.status === 'ignored') {
      throw new Problem('conflict', 'This event type is not supported.', { code: 'event_ignored' })
    }
    const [status] = replay(ctx, [row])
    record(ctx, inboxReplayed, { kind: 'inbound_event', id }, { count: 1 })
    return shown({ ...row, replays: row.replays + 1, status: status! })
  })
}

export async function replayInbox(ctx: Context, window: ReplayWindow): Promise<{ count: number }> {
  if (Date.parse(window.from) >= Date.parse(window.until)) {
    throw invalid([
      { path: 'from', message: 'must be before until' },
      { path: 'until', message: 'must be after from' },
    ])
  }
  return ctx.transaction(async ctx => {
    const filters = { ...window, status: window.status ?? unfinished }
    const count = await store.countMatching(ctx, filters)
    if (count > 0) enqueue(ctx, { kind: REPLAY_JOB, data: { filters, after: '' } })
    record(ctx, inboxReplayed, { kind: 'inbox', id: ctx.team_id }, { count })
    return { count }
  })
}

/** A part of a window; the next part is a job of its own. */
export async function replayNext(ctx: Context, job: Job): Promise<void> {
  const { filters, after } = job.data as { filters: Parameters<typeof store.countMatching>[1]; after: string }
  const rows = await store.lockMatching(ctx, filters, after, REPLAYS_PER_JOB)
  replay(
    ctx,
    rows.filter(({ status }) => status !== 'ignored'),
  )
  if (rows.length < REPLAYS_PER_JOB) return
  enqueue(ctx, { kind: REPLAY_JOB, data: { filters, after: rows.at(-1)!.id } })
}

/** Events that no part handles yet keep waiting. */
function replay(ctx: Context, rows: readonly InboundRow[]): InboundStatus[] {
  const jobs = rows.map(row => jobsFor(ctx, row))
  const statuses = jobs.map(list => (list.length > 0 ? ('accepted' as const) : ('waiting' as const)))
  if (rows.length === 0) return statuses
  store.noteReplay(
    ctx,
    rows.map(({ id }, at) => ({ id, status: statuses[at]! })),
  )
  const all = jobs.flat()
  if (all.length > 0) ctx.later(insertJobs(all))
  const heard = rows.flatMap(row => automationsFor(ctx, row))
  if (heard.length > 0) ctx.later(insertListenedJobs(heard))
  if (all.length + heard.length > 0) ctx.afterCommit(ctx.runtime.wakeWorker)
  return statuses
}

/**
 * A workflow that this event has set off is not set off again; one that was not there yet is. Where a part of the product
 * takes the event up, that tells them.
 */
function automationsFor(ctx: Context, { type: name, recorded_id }: InboundRow) {
  const type = `webhook:${name}`
  if (!recorded_id || ctx.runtime.registry.reactionsTo(type).length > 0) return []
  const kinds = ctx.runtime.registry.automationsOn(type)
  return kinds.map(kind => ({ ...jobRow(ctx, { kind, event_id: recorded_id }), type }))
}

function jobsFor(ctx: Context, { id, type, recorded_id }: InboundRow) {
  if (!recorded_id) return [jobRow(ctx, { kind: RECORD_JOB, data: { ids: [id] } })]
  const kinds = ctx.runtime.registry.reactionsTo(`webhook:${type}`)
  return kinds.map(kind => jobRow(ctx, { kind, event_id: recorded_id }))
}

async function getInbound(ctx: Context, id: string): Promise<InboundRow> {
  const row = await store.findInbound(ctx, id)
  if (!row) throw absent()
  return row
}

function shown(row: InboundRow): InboundEvent {
  const {
    team_id: _team,
    body: _body,
    recorded_id: _recorded,
    lead_id: _lead,
    automations: _automations,
    automated_at: _automated,
    ...event
  } = row
  return event
}

function absent(): Problem {
  return new Problem('not_found', 'No such event.')
}
