import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { fence, type Job } from '#platform/jobs/queue.ts'
import { attempt, type Outcome } from './attempt.ts'
import { endpointDisabled } from './contract.ts'
import { reasons, notifyFailed } from './failure.ts'
import { callNext, probeAt, takePlace, tryAt } from './line.ts'
import { mailDisabled } from './notice-mail.ts'
import { afterFailure, afterSuccess, isGivenUp, retryWaitMs } from './schedule.ts'
import { signingKeys } from './secrets.ts'
import * as store from './store.ts'
import type { DeliveryRow, EndpointRow } from './store.ts'

const GONE = 410

/**
 * Tries a delivery. While the receiver is waited for, no transaction is open; what came of it is written in one, which the
 * database refuses to a worker that has lost the job meanwhile. One that dies in between leaves it to the next, and the
 * receiver knows by the webhook-id what it has had already.
 */
export async function sendDue(ctx: Context, job: Job): Promise<void> {
  const begun = await begin(ctx, job)
  if (!begun) return
  const { endpoint, delivery } = begun
  const outcome = await attempt(ctx, signingKeys(ctx, endpoint.secrets), endpoint.url, delivery)
  await ctx.transaction(async ctx => {
    fence(ctx, job)
    await settle(ctx, job, outcome)
  })
}

/** Its job was given up: neither it nor those that wait behind it may wait for ever. */
export async function loseJob(ctx: Context, job: Job): Promise<void> {
  const found = await lock(ctx, job)
  if (!found || !isFor(job, found.delivery)) return
  fail(ctx, found.endpoint, found.delivery, reasons.lost)
  await callNext(ctx, found.endpoint)
}

type Found = { endpoint: EndpointRow; delivery: DeliveryRow }

async function begin(ctx: Context, job: Job): Promise<Found | undefined> {
  return ctx.transaction(async ctx => {
    fence(ctx, job)
    const found = await lock(ctx, job)
    // Delivered, given up or sent again meanwhile: another job sees to it, or nobody needs to.
    if (!found || !isFor(job, found.delivery)) return undefined
    const { endpoint, delivery } = found
    if (endpoint.status !== 'ACTIVE') {
      fail(ctx, endpoint, delivery, endpoint.status === 'REMOVED' ? reasons.removed : reasons.disabled)
      return undefined
    }
    return (await takePlace(ctx, endpoint, delivery)) ? found : undefined
  })
}

/** Saves the attempt, the delivery's new state and the endpoint's health, and starts the next one. */
async function settle(ctx: Context, job: Job, outcome: Outcome): Promise<void> {
  const found = await lock(ctx, job)
  if (!found) return
  const { endpoint, delivery } = found
  const ours = isFor(job, delivery)
  note(ctx, delivery, outcome, ours)
  const after = judge(ctx, endpoint, delivery, outcome)
  // That the receiver has it is true, whatever was decided meanwhile; that it has not, changes nothing then.
  if (outcome.delivered) {
    store.updateDelivery(ctx, delivery.id, { ...ended, status: 'DELIVERED', delivered_at: ctx.now() })
  } else if (isGivenUp(after, ctx.now()) && after.status === 'ACTIVE') {
    return disable(ctx, after, delivery)
  } else if (ours) tryAgainOrFail(ctx, endpoint, delivery, outcome)
  await callNext(ctx, after)
}

function note(ctx: Context, { id, attempts }: DeliveryRow, outcome: Outcome, ours: boolean): void {
  const { delivered, retryAfterMs: _, ...noted } = outcome
  store.insertAttempt(ctx, id, { id: ctx.newId(), ...noted })
  store.updateDelivery(ctx, id, {
    attempts: attempts + 1,
    last_status: outcome.response_status,
    ...((ours || delivered) && { last_error: outcome.error }),
  })
}

/** How the address is doing after that. What one did that is used no longer says nothing of the one that is. */
function judge(
  ctx: Context,
  endpoint: EndpointRow,
  { created_at }: DeliveryRow,
  outcome: Outcome,
): EndpointRow {
  if (endpoint.status !== 'ACTIVE' || endpoint.url !== outcome.url) return endpoint
  const { failures, pauses, failing_since, paused_until, last_success_at, last_failure_at } = endpoint
  const before = { failures, pauses, failing_since, paused_until, last_success_at, last_failure_at }
  const now = ctx.now()
  const after = outcome.delivered ? afterSuccess(before, now) : afterFailure(before, now, created_at)
  store.updateEndpoint(ctx, endpoint.id, after)
  if (after.paused_until && after.paused_until !== paused_until) probeAt(ctx, endpoint.id, after.paused_until)
  return { ...endpoint, ...after }
}

function tryAgainOrFail(ctx: Context, endpoint: EndpointRow, delivery: DeliveryRow, outcome: Outcome): void {
  const tries = delivery.tries + 1
  const waitMs = outcome.response_status === GONE ? undefined : retryWaitMs(tries, outcome.retryAfterMs)
  if (waitMs === undefined) return fail(ctx, endpoint, delivery, reasonOf(outcome))
  const next_at = ctx.in(waitMs)
  const job_id = tryAt(ctx, delivery, next_at)
  store.updateDelivery(ctx, delivery.id, { tries, next_at, job_id, in_hand: false })
}

/** The address is given up, and with it everything that was still to go there: once it is back, it can be sent again. */
async function disable(ctx: Context, endpoint: EndpointRow, delivery: DeliveryRow): Promise<void> {
  const at = ctx.now()
  const change = {
    status: 'DISABLED',
    disabled_at: at,
    updated_at: at,
    paused_until: null,
    pauses: 0,
  } as const
  store.updateEndpoint(ctx, endpoint.id, change)
  await store.failPending(ctx, endpoint.id, reasons.disabled)
  const { id, name, url } = endpoint
  record(ctx, endpointDisabled, { kind: 'webhook_endpoint', id }, { name, url })
  notifyFailed(ctx, endpoint, delivery.id, reasons.disabled)
  await mailDisabled(ctx, endpoint)
}

/** Locked in this order by everybody: the address, then what goes there. Both are asked for in one go. */
async function lock(ctx: Context, job: Job): Promise<Found | undefined> {
  const { endpoint_id, delivery_id } = job.data as { endpoint_id: string; delivery_id: string }
  const [endpoint, delivery] = await Promise.all([
    store.lockEndpoint(ctx, endpoint_id),
    store.lockDelivery(ctx, delivery_id),
  ])
  return endpoint && delivery && { endpoint, delivery }
}

function isFor(job: Job, { status, job_id }: DeliveryRow): boolean {
  return status === 'PENDING' && job_id === job.id
}

const ended = { next_at: null, job_id: null, in_hand: false } as const

function fail(ctx: Context, endpoint: EndpointRow, delivery: DeliveryRow, reason: string): void {
  store.updateDelivery(ctx, delivery.id, { ...ended, status: 'FAILED', last_error: reason })
  notifyFailed(ctx, endpoint, delivery.id, reason)
}

function reasonOf({ response_status, error }: Outcome): string {
  if (response_status === GONE) return reasons.gone
  return `All attempts failed. ${error ?? `The last response was ${response_status}.`}`
}
