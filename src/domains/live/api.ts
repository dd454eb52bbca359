import { Answer } from '#platform/answer.ts'
import { formatPosition, parsePosition, type Start } from '#platform/changes.ts'
import type { Context } from '#platform/context.ts'
import type { Handlers } from '#platform/contract.ts'
import type { endpoints } from './contract.ts'

const HEARTBEAT_MS = 15_000
/** Then the client connects anew, and is authenticated anew. */
const STREAM_LIFE_MS = 15 * 60_000
const RECONNECT_MS = 1_000

export const api: Handlers<typeof endpoints> = {
  streamLive: (ctx, { query, signal, headers }) => {
    const resumed = parsePosition(headers['last-event-id'] ?? query.last_event_id)
    const from = resumed ?? (query.recent_s ? { since: ctx.in(-query.recent_s * 1000) } : undefined)
    const answer = {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    }
    return new Answer(
      200,
      answer,
      messages(ctx, from, AbortSignal.any([signal, AbortSignal.timeout(STREAM_LIFE_MS)])),
    )
  },
}

async function* messages(ctx: Context, from: Start, signal: AbortSignal) {
  yield `retry: ${RECONNECT_MS}\n\n`
  const scopes = ctx.principal!.scopes
  const changes = ctx.runtime.changes.read(ctx.team_id, from, signal)[Symbol.asyncIterator]()
  const beats = setInterval(() => beat.resolve(), HEARTBEAT_MS)
  let beat = Promise.withResolvers<void>()
  let next = changes.next()
  try {
    while (true) {
      const arrived = await Promise.race([next, beat.promise])
      if (!arrived) {
        beat = Promise.withResolvers<void>()
        yield ': still here\n\n'
        continue
      }
      if (arrived.done) return
      next = changes.next()
      if (!arrived.value) yield 'event: reset\ndata: {}\n\n'
      else if (scopes.has(arrived.value.scope)) {
        yield `id: ${formatPosition(arrived.value)}\nevent: change\ndata: ${JSON.stringify(arrived.value.message)}\n\n`
      }
    }
  } finally {
    clearInterval(beats)
  }
}
