import { Answer } from '#platform/answer.ts'
import { formatPosition, parsePosition, type Change, type Start } from '#platform/changes.ts'
import type { Context } from '#platform/context.ts'
import type { Handlers } from '#platform/contract.ts'
import { isConnectionLoss } from '#platform/database/pool.ts'
import type { endpoints } from './contract.ts'

export const HEARTBEAT_MS = 15_000
/** Then the client reconnects. */
const STREAM_LIFE_MS = 15 * 60_000
const RECONNECT_MS = 1_000

export const api: Handlers<typeof endpoints> = {
  streamLive: (ctx, { query, signal, headers, stillAdmitted }) => {
    const resumed = parsePosition(headers['last-event-id'] ?? query.last_event_id)
    const from = resumed ?? (query.recent_s ? { since: ctx.in(-query.recent_s * 1000) } : undefined)
    const answer = {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    }
    return new Answer(200, answer, messages(ctx, from, signal, stillAdmitted))
  },
}

/** Checks the listener's access whenever somebody's access changes and at each heartbeat, and ends when it is gone. */
async function* messages(
  ctx: Context,
  from: Start,
  gone: AbortSignal,
  stillAdmitted: () => Promise<boolean>,
) {
  yield `retry: ${RECONNECT_MS}\n\n`
  const scopes: ReadonlySet<string> = ctx.principal!.scopes
  const left = new AbortController()
  const over = AbortSignal.any([gone, left.signal, AbortSignal.timeout(STREAM_LIFE_MS)])
  const changes = ctx.runtime.changes.read(ctx.team_id, from, over)[Symbol.asyncIterator]()
  const beats = setInterval(() => beat.resolve(), HEARTBEAT_MS)
  let beat = Promise.withResolvers<void>()
  let next = changes.next()
  try {
    while (true) {
      const arrived = await Promise.race([next, beat.promise])
      if (!arrived) {
        beat = Promise.withResolvers<void>()
        if (!(await mayListen(stillAdmitted))) return
        yield ': still here\n\n'
        continue
      }
      if (arrived.done) return
      next = changes.next()
      const { value } = arrived
      if (!value) yield 'event: reset\ndata: {}\n\n'
      else if (value.scope === 'access') {
        if (!(await mayListen(stillAdmitted))) return
      } else if (scopes.has(value.scope)) yield messageOf(value)
    }
  } finally {
    clearInterval(beats)
    left.abort()
  }
}

/** While the database is away nobody can tell, and nothing comes from it either. */
async function mayListen(stillAdmitted: () => Promise<boolean>): Promise<boolean> {
  try {
    return await stillAdmitted()
  } catch (error) {
    if (isConnectionLoss(error)) return true
    throw error
  }
}

function messageOf(change: Change): string {
  return `id: ${formatPosition(change)}\nevent: change\ndata: ${JSON.stringify(change.message)}\n\n`
}
