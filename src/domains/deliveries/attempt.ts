import type { KeyObject } from 'node:crypto'
import type { Context } from '#platform/context.ts'
import { beginningOf, OutboundError, safeFetch } from '#platform/safe-fetch.ts'
import { signedHeaders } from '#platform/signature.ts'
import type { Attempt, TestAnswer } from './contract.ts'
import { retryAfterMs } from './schedule.ts'

/** A test that waits for its end makes it shorter. */
export const attemptLimits = { timeoutMs: 5_000 }
export const ANSWER_BYTES_MAX = 64 * 1024
const ERROR_LENGTH_MAX = 500

export type Message = { event_id: string; body: string }

/** What the receiver is told: `{eventId, type, timestamp, data}`. */
export type Told = { event_id: string; type: string; data: Record<string, unknown> }

/** What came of one attempt. */
export type Outcome = Omit<Attempt, 'id'> & { delivered: boolean; retryAfterMs: number | undefined }

/**
 * The exact bytes that are sent. The timestamp in the body is when the event happened; that of the attempt is
 * in the header.
 */
export function bodyOf({ event_id, type, data }: Told, timestamp: string): string {
  return JSON.stringify({ eventId: event_id, type, timestamp, data })
}

/** One signed call to an address of somebody else's. It never throws: that nothing came back is an outcome too. */
export async function attempt(
  ctx: Context,
  keys: readonly KeyObject[] | undefined,
  url: string,
  message: Message,
): Promise<Outcome> {
  const at = ctx.now()
  const began = performance.now()
  const called = keys ? await call(ctx, keys, url, message) : noSecret
  return { at, url, duration_ms: Math.round(performance.now() - began), ...called }
}

/** One call of which nothing is kept. */
export async function tryOut(
  ctx: Context,
  keys: readonly KeyObject[] | undefined,
  url: string,
  told: Told,
): Promise<TestAnswer> {
  const message = { event_id: told.event_id, body: bodyOf(told, ctx.now()) }
  const outcome = await attempt(ctx, keys, url, message)
  const { delivered, duration_ms, response_status, response_body, error } = outcome
  return { delivered, duration_ms, response_status, response_body, error }
}

type Called = Omit<Outcome, 'at' | 'url' | 'duration_ms'>

async function call(
  ctx: Context,
  keys: readonly KeyObject[],
  url: string,
  { event_id, body }: Message,
): Promise<Called> {
  const nowMs = ctx.runtime.clock.now()
  try {
    const answer = await safeFetch(ctx.runtime.settings, url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signedHeaders(keys, event_id, nowMs, body) },
      body,
      timeoutMs: attemptLimits.timeoutMs,
      bytesMax: ANSWER_BYTES_MAX,
      longer: 'is_cut',
    })
    return {
      delivered: answer.status >= 200 && answer.status < 300,
      response_status: answer.status,
      response_body: fitToKeep(answer.body),
      error: null,
      retryAfterMs: retryAfterMs(answer.headers['retry-after'], ctx.runtime.clock.now()),
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return failed(error.message)
  }
}

const noSecret = failed('The signing secret can no longer be read. Create a new one.')

function failed(reason: string): Called {
  return {
    delivered: false,
    response_status: null,
    response_body: null,
    error: withoutNull(reason).slice(0, ERROR_LENGTH_MAX),
    retryAfterMs: undefined,
  }
}

/** PostgreSQL takes no U+0000; what replaces it, and bytes that are no text, is longer than it was. */
function fitToKeep(body: string): string {
  return beginningOf(Buffer.from(withoutNull(body)), ANSWER_BYTES_MAX)
}

function withoutNull(text: string): string {
  return text.replaceAll('\0', '\ufffd')
}
