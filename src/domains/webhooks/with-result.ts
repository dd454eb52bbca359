import { setTimeout as rest } from 'node:timers/promises'
import { systemContext, type Context } from '#platform/context.ts'
import type { SignedEndpoint } from '#platform/signature.ts'
import type { Receipt } from './contract.ts'
import { readEnvelope, storable } from './envelope.ts'
import { findRecordedTeam } from './store.ts'
import { WAIT_MAX_S } from './values.ts'

const POLL_MS = 40

type Asked = { body: unknown; wait: number | undefined; prefer: string | undefined }

/**
 * For who wants to know what came of its event in the answer to it: the tool of an agent, while somebody is on the phone. The
 * event is on disk already, and whatever comes of it comes, whether or not anybody has the patience.
 */
export async function withResult(
  ctx: Context,
  endpoint: SignedEndpoint,
  receipt: Receipt,
  { body, prefer, wait = preferred(prefer) }: Asked,
): Promise<Receipt> {
  const { answerTool } = ctx.runtime.registry.offers
  const { type, data } = readEnvelope(body, receipt.eventId)
  if (wait <= 0 || type !== 'tool_call' || receipt.status === 'ignored' || !answerTool) return receipt
  const until = performance.now() + wait * 1000
  const team = await recordedTeam(ctx, endpoint, receipt.eventId, until)
  if (team === undefined) return receipt
  const event = { eventId: receipt.eventId, data: storable(data) as Record<string, unknown> }
  const left = Math.max(0, until - performance.now())
  const answer = await answerTool(systemContext(ctx.runtime, team), event, left)
  return answer ? { ...receipt, result: answer.result, results: [answer] } : receipt
}

/** `Prefer: wait=4` (RFC 7240). */
function preferred(prefer: string | undefined): number {
  const seconds = Number(/(?:^|[,;\s])wait\s*=\s*"?(\d{1,4})/i.exec(prefer ?? '')?.[1] ?? 0)
  return Math.min(seconds, WAIT_MAX_S)
}

async function recordedTeam(ctx: Context, endpoint: SignedEndpoint, event_id: string, until: number) {
  for (;;) {
    const team = await findRecordedTeam(ctx, endpoint, event_id)
    if (team !== undefined || performance.now() >= until) return team
    await rest(POLL_MS)
  }
}
