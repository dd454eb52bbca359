import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { invalid, Problem, type Fault } from '#platform/problem.ts'
import { deliveryReplayed, type Delivery, type DeliveryWithAttempts, type FailedWindow } from './contract.ts'
import { inUse } from './endpoints.ts'
import { addTries, newTry, tryAt } from './line.ts'
import * as store from './store.ts'
import type { DeliveryRow, EndpointRow } from './store.ts'

export const REPLAY_JOB = 'deliveries.replay_window'
const ATTEMPTS_SHOWN = 100
const REPLAYS_PER_JOB = 200

export const listDeliveries = store.listDeliveries

export async function readDelivery(ctx: Context, id: string): Promise<DeliveryWithAttempts> {
  const row = known(await store.findDelivery(ctx, id))
  return { ...shown(row), body: row.body, log: await store.listAttempts(ctx, id, ATTEMPTS_SHOWN) }
}

/** From the beginning: the same message under the same webhook-id, and every try of the schedule. */
export async function replayDelivery(ctx: Context, id: string): Promise<Delivery> {
  return ctx.transaction(async ctx => {
    const { endpoint_id } = known(await store.findDelivery(ctx, id))
    refuseUnused(await store.lockEndpoint(ctx, endpoint_id))
    const row = known(await store.lockDelivery(ctx, id))
    record(ctx, deliveryReplayed, { kind: 'webhook_delivery', id }, { count: 1 })
    // A delivery being sent right now continues, with its attempts reset.
    if (row.in_hand) store.updateDelivery(ctx, id, { tries: 0 })
    else store.beginAgain(ctx, [{ id, job_id: tryAt(ctx, row, ctx.now()) }])
    return shown(known(await store.findDelivery(ctx, id)))
  })
}

type Filters = { endpoint_id?: string[]; from: string; until: string }

/** Everything that failed in that time. Many are sent again a part at a time. */
export async function replayFailed(ctx: Context, window: FailedWindow): Promise<{ count: number }> {
  const { endpoint_id, from, until } = window
  return ctx.transaction(async ctx => {
    const endpoint = endpoint_id === undefined ? undefined : await store.findEndpoint(ctx, endpoint_id)
    const faults = faultsIn(window, endpoint)
    if (faults.length > 0) throw invalid(faults)
    if (endpoint) refuseUnused(endpoint)
    const filters: Filters = { from, until, ...(endpoint_id !== undefined && { endpoint_id: [endpoint_id] }) }
    const count = await store.countReplayable(ctx, filters)
    if (count > 0) enqueue(ctx, { kind: REPLAY_JOB, data: { filters, after: '' } })
    const about = endpoint_id
      ? { kind: 'webhook_endpoint', id: endpoint_id }
      : { kind: 'team', id: ctx.team_id }
    record(ctx, deliveryReplayed, about, { count })
    return { count }
  })
}

/** A part of a window; the next part is a job of its own. */
export async function replayNext(ctx: Context, job: Job): Promise<void> {
  const { filters, after } = job.data as { filters: Filters; after: string }
  const rows = await store.lockReplayable(ctx, filters, after, REPLAYS_PER_JOB)
  const tries = rows.map(row => newTry(ctx, row))
  const begun = rows.map(({ id }, at) => ({ id, job_id: tries[at]!.id }))
  if (begun.length > 0) store.beginAgain(ctx, begun)
  addTries(ctx, tries)
  if (rows.length < REPLAYS_PER_JOB) return
  enqueue(ctx, { kind: REPLAY_JOB, data: { filters, after: rows.at(-1)!.id } })
}

function faultsIn({ endpoint_id, from, until }: FailedWindow, endpoint: EndpointRow | undefined): Fault[] {
  const isTime = Date.parse(from) < Date.parse(until)
  const isKnown = endpoint !== undefined || endpoint_id === undefined
  return [
    ...(isTime ? [] : [{ path: 'from', message: 'must be before until' }]),
    ...(isTime ? [] : [{ path: 'until', message: 'must be after from' }]),
    ...(isKnown ? [] : [{ path: 'endpoint_id', message: 'is not a webhook endpoint of this team' }]),
  ]
}

function refuseUnused(endpoint: EndpointRow | undefined): void {
  if (inUse(endpoint).status === 'ACTIVE') return
  throw new Problem('conflict', 'This endpoint is disabled. Enable it first.', { code: 'endpoint_disabled' })
}

function known(row: DeliveryRow | undefined): DeliveryRow {
  if (row) return row
  throw new Problem('not_found', 'No such delivery.')
}

function shown(row: DeliveryRow): Delivery {
  const { team_id: _team, body: _body, tries: _tries, job_id: _job, in_hand: _hand, ...delivery } = row
  return delivery
}
