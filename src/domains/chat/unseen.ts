import type { Context } from '#platform/context.ts'
import type { EventOf } from '#platform/events.ts'
import { enqueue, type Job } from '#platform/jobs/queue.ts'
import { copyUnseen, hasUnseen } from '#domains/conversations/chat-copy.ts'
import type { conversationEvents } from '#domains/conversations/contract.ts'
import { CHAT_ADDRESS } from '#domains/conversations/values.ts'
import { getTeamName } from '#domains/identity/teams.ts'
import { findSession, lockSession, updateSession } from './session-store.ts'
import { UNSEEN_MS } from './values.ts'
import { addressOf } from './visitors.ts'
import { isHere } from './visits.ts'
import { letterWords } from './letter-words.ts'

export const UNSEEN_JOB = 'chat.unseen'
/** A page may stay open for days behind others: it is looked at ever more rarely. */
const LOOK_AGAIN_MAX_MS = 3_600_000

type Looking = { session_id: string; waitMs: number }

/** Somebody of the team has said something: it is looked after a while whether its visitor has seen it. */
export async function noteSaid(
  ctx: Context,
  { data: { channel, address } }: EventOf<(typeof conversationEvents)['sent']>,
): Promise<void> {
  if (channel === 'chat')
    lookLater(ctx, { session_id: address.slice(CHAT_ADDRESS.length), waitMs: UNSEEN_MS })
}

/**
 * What a visitor has not seen is sent to the address they left, everything in one email. As long as their page is open it waits for
 * them; without an address it waits for them to come back.
 */
export async function tellAbsent(ctx: Context, { data }: Job): Promise<void> {
  const { session_id, waitMs } = data as Looking
  const known = await findSession(ctx, session_id)
  if (!known || !(await hasUnseen(ctx, addressOf(known), known.emailed_until))) return
  if (isHere(ctx, known.here_at))
    return lookLater(ctx, { session_id, waitMs: Math.min(waitMs * 2, LOOK_AGAIN_MAX_MS) })
  const session = await lockSession(ctx, session_id)
  if (!session?.email) return
  const { email, name, language } = session
  const words = letterWords(language, await getTeamName(ctx, ctx.team_id))
  const absent = { address: addressOf(session), email, name }
  const copied = await copyUnseen(ctx, absent, session.emailed_until, words)
  if (copied) updateSession(ctx, session_id, { emailed_until: copied.until, lead_id: copied.lead_id })
}

function lookLater(ctx: Context, looking: Looking): void {
  enqueue(ctx, { kind: UNSEEN_JOB, data: looking, run_at: ctx.in(looking.waitMs) })
}
