import type { Context } from '#platform/context.ts'
import type { EventOf } from '#platform/events.ts'
import { enqueueAll, fence, holdsLease, type Job } from '#platform/jobs/queue.ts'
import { OutboundError, safeFetch } from '#platform/safe-fetch.ts'
import { retryAfterMs } from '#domains/deliveries/schedule.ts'
import type { notificationAdded } from './contract.ts'
import { encrypt } from './encryption.ts'
import * as store from './subscription-store.ts'
import { dropDead } from './subscriptions.ts'
import { pushedTexts } from './texts.ts'
import { vapidHeader } from './vapid.ts'

export const PUSH_JOB = 'notifications.push'
/** By the waits of the queue within two hours. Nobody is called to a push that failed: the notification is there anyway. */
export const PUSH_TRIES_MAX = 8
const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 4_096
/** What was not shown within a day is found in Rapport. */
const LIFE_MS = 86_400_000
const WAIT_MAX_MS = 86_400_000

/** One job for each browser of each person who was told. */
export async function queuePushes(ctx: Context, { data }: EventOf<typeof notificationAdded>): Promise<void> {
  const pairs = await store.listPairs(ctx, data.ids)
  enqueueAll(
    ctx,
    pairs.map(data => ({ kind: PUSH_JOB, data })),
  )
}

/**
 * Hands a notification to the push service of one browser. What cannot be handed over now is tried again by the queue's own
 * schedule. Should the process die between the two, it goes out twice: the service takes the second for the first by its
 * topic, and so does the browser by its tag.
 */
export async function push(ctx: Context, job: Job): Promise<void> {
  const due = await store.findPair(ctx, job.data as Parameters<typeof store.findPair>[1])
  // Read meanwhile, or that browser is told nothing any more.
  if (!due) return
  const leftMs = Date.parse(due.told_at) + LIFE_MS - ctx.runtime.clock.now()
  if (leftMs <= 0) return
  const outcome = await handOver(ctx, job, due, leftMs)
  switch (outcome.kind) {
    case 'taken':
      return
    case 'dead':
      return ctx.transaction(async ctx => {
        fence(ctx, job)
        await dropDead(ctx, due)
      })
    case 'refused':
      return void ctx.log.warn({ host: new URL(due.endpoint).host, ...outcome }, 'a push was refused')
    case 'later':
      if (outcome.waitMs) await store.leaveInPeace(ctx, due.id, ctx.in(Math.min(outcome.waitMs, WAIT_MAX_MS)))
      if (job.attempts < PUSH_TRIES_MAX) throw new Error(outcome.reason)
  }
}

type Due = NonNullable<Awaited<ReturnType<typeof store.findPair>>>

type Outcome =
  | { kind: 'taken' }
  | { kind: 'dead' }
  | { kind: 'refused'; reason: string }
  | { kind: 'later'; reason: string; waitMs?: number | undefined }

async function handOver(ctx: Context, job: Job, due: Due, leftMs: number): Promise<Outcome> {
  if (due.wait_until !== null && due.wait_until > ctx.now())
    return { kind: 'later', reason: `The push service asked to wait until ${due.wait_until}.` }
  const { id, endpoint, notification_id, link, p256dh, auth } = due
  const message = Buffer.from(JSON.stringify({ id: notification_id, ...pushedTexts(due), link }))
  const headers = {
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    ttl: String(Math.ceil(leftMs / 1_000)),
    // A second one of the same takes the place of the first, as long as it waits for the browser.
    topic: notification_id,
    urgency: 'normal',
    authorization: await vapidHeader(ctx, endpoint),
  }
  const body = encrypt(message, { p256dh, auth })
  // The last moment: a worker that was frozen leaves it to the one that has the job by now.
  if (!holdsLease(ctx, job)) return { kind: 'later', reason: `The lease of ${id} ran out.` }
  try {
    const bounds = { timeoutMs: TIMEOUT_MS, bytesMax: ANSWER_BYTES_MAX, longer: 'is_cut' } as const
    const answer = await safeFetch(ctx.runtime.settings, endpoint, {
      method: 'POST',
      headers,
      body,
      ...bounds,
    })
    return judge(answer.status, retryAfterMs(answer.headers['retry-after'], ctx.runtime.clock.now()))
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    // No push service is at an address that may not be called.
    const isWrong = error.code === 'address_refused' || error.code === 'https_required'
    return isWrong ? { kind: 'dead' } : { kind: 'later', reason: error.message }
  }
}

function judge(status: number, waitMs: number | undefined): Outcome {
  if (status >= 200 && status < 300) return { kind: 'taken' }
  if (status === 404 || status === 410) return { kind: 'dead' }
  const reason = `The push service returned status ${status}.`
  return status === 429 || status >= 500 ? { kind: 'later', reason, waitMs } : { kind: 'refused', reason }
}
