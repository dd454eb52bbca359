import type { Context } from '#platform/context.ts'
import { enqueue, insertJobs, jobRow, type Job } from '#platform/jobs/queue.ts'
import { roomFor } from './schedule.ts'
import * as store from './store.ts'
import type { DeliveryRow, EndpointRow } from './store.ts'

export const ATTEMPT_JOB = 'deliveries.attempt'
export const PROBE_JOB = 'deliveries.probe'

/**
 * Each endpoint has a few slots. Deliveries that fall due while they are taken, or while the endpoint backs
 * off, wait in the table without a job and cost nothing. A released slot goes to the next one; after a pause,
 * a job starts it. The endpoint is locked whenever this is decided, so nothing waits without something that
 * will start it.
 */
export async function takePlace(
  ctx: Context,
  endpoint: EndpointRow,
  delivery: DeliveryRow,
): Promise<boolean> {
  const others = await store.countInHand(ctx, endpoint.id, delivery.id)
  const hasRoom = roomFor(endpoint, others, ctx.now()) > 0
  if (hasRoom) store.updateDelivery(ctx, delivery.id, { in_hand: true })
  else {
    const next_at = latest(endpoint.paused_until, ctx.now())
    store.updateDelivery(ctx, delivery.id, { in_hand: false, job_id: null, next_at })
  }
  return hasRoom
}

/** Hands the places that are free to those that wait longest. */
export async function callNext(ctx: Context, endpoint: EndpointRow): Promise<void> {
  if (endpoint.status !== 'ACTIVE') return
  const room = roomFor(endpoint, await store.countInHand(ctx, endpoint.id), ctx.now())
  if (room === 0) return
  for (const delivery of await store.lockWaiting(ctx, endpoint.id, room)) {
    const job_id = tryAt(ctx, delivery, ctx.now())
    store.updateDelivery(ctx, delivery.id, { in_hand: true, job_id, next_at: ctx.now() })
  }
}

type Try = ReturnType<typeof jobRow>
type Place = Pick<DeliveryRow, 'id' | 'endpoint_id'>

/** The job that tries it then. Its id goes into the delivery's row: no other may. */
export function tryAt(ctx: Context, delivery: Place, run_at: string): string {
  return enqueue(ctx, { ...jobFor(delivery), run_at })
}

/** The same in two steps, for now: the row is written with the id of a job that is added once the row is there. */
export function newTry(ctx: Context, delivery: Place): Try {
  return jobRow(ctx, jobFor(delivery))
}

export function addTries(ctx: Context, tries: readonly Try[]): void {
  if (tries.length === 0) return
  ctx.later(insertJobs([...tries]))
  ctx.afterCommit(ctx.runtime.wakeWorker)
}

/** At the end of a pause, waiting deliveries must be started. */
export function probeAt(ctx: Context, endpoint_id: string, run_at: string): void {
  enqueue(ctx, { kind: PROBE_JOB, data: { endpoint_id }, run_at })
}

/** A pause is over: one goes first. */
export async function probe(ctx: Context, job: Job): Promise<void> {
  const { endpoint_id } = job.data as { endpoint_id: string }
  const endpoint = await store.lockEndpoint(ctx, endpoint_id)
  if (endpoint) await callNext(ctx, endpoint)
}

function jobFor({ id, endpoint_id }: Place) {
  return { kind: ATTEMPT_JOB, data: { delivery_id: id, endpoint_id } }
}

function latest(a: string | null, b: string): string {
  return a !== null && a > b ? a : b
}
