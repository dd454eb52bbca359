import type { Context } from '#platform/context.ts'
import type { ConversationTask } from '#platform/ports/writer.ts'
import { whereaboutsOf } from '#platform/phone-zones.ts'
import type { Agent } from '#domains/agents/contract.ts'
import { localTime } from '#domains/agents/session.ts'
import { findLead } from '#domains/leads/service.ts'
import type { ConversationEntry } from './contract.ts'
import { factsOf, repliesFor } from './drafting.ts'
import type { EntryRow } from './entry-store.ts'
import { keyOf } from './model.ts'
import type { ConversationRow } from './store.ts'
import { readThread } from './thread.ts'
import type { ConversationChannel } from './values.ts'

const LOOKED_AT = 50
const HISTORY_MAX = 12
const TEXT_LENGTH_MAX = 4_000
const TIMEOUT_MS = 30_000
/** As long as people read on each channel; a text message has to fit with what is said before it. */
const CHARACTERS_MAX: Record<ConversationChannel, number> = {
  email: 4_000,
  sms: 1_200,
  chat: 2_000,
  whatsapp: 2_000,
}

export type Incoming = EntryRow & { channel: ConversationChannel; address: string }
type Task = Omit<ConversationTask, 'tools' | 'rounds'>

/** Who chats says who they are, and nobody has checked it. */
export function isClaimed({ channel }: Pick<Incoming, 'channel'>): boolean {
  return channel === 'chat'
}

/**
 * What an agent is given to answer this message: what was written from and to this one address, the team's texts, and what is
 * known of the lead, unless they only claim to be them.
 */
export async function agentTask(
  ctx: Context,
  row: ConversationRow,
  entry: Incoming,
  { name, instructions, text }: Agent,
): Promise<Task> {
  const [known, { data }] = await Promise.all([
    row.lead_id === null ? undefined : findLead(ctx, row.lead_id),
    readThread(ctx, row, { limit: LOOKED_AT }),
  ])
  const lead = isClaimed(entry) ? undefined : known
  const said = data.filter(
    ({ kind, automatic, hidden, text, address, status }) =>
      kind === 'message' &&
      !automatic &&
      !hidden &&
      text !== '' &&
      address !== null &&
      keyOf(address) === entry.address &&
      status !== 'CANCELLED' &&
      status !== 'FAILED',
  )
  const { zones } = whereaboutsOf(lead?.timezone ?? null, lead?.phone ?? null)
  return {
    agent: { name, instructions },
    knowledge: text.facts,
    topics: text.topics,
    history: asWritten(said, ctx.now(), row.unanswered_since)
      .slice(-HISTORY_MAX)
      .map(({ direction, text }) => ({
        by: direction === 'in' ? 'them' : 'us',
        text: text.slice(0, TEXT_LENGTH_MAX).toWellFormed(),
      })),
    facts: lead ? factsOf(lead) : [],
    replies: await repliesFor(ctx, lead),
    now: localTime(ctx.now(), zones.length === 1 ? zones[0]! : 'UTC'),
    characters_max: CHARACTERS_MAX[entry.channel],
    timeout_ms: TIMEOUT_MS,
  }
}

/** The oldest first. What is still to be sent was written before what is answered now. */
function asWritten(
  said: readonly ConversationEntry[],
  now: string,
  since: string | null,
): ConversationEntry[] {
  const isPending = ({ direction, at }: ConversationEntry) => direction === 'out' && at > now
  const known = said.filter(entry => !isPending(entry)).toReversed()
  const waiting = known.findIndex(({ direction, at }) => direction === 'in' && since !== null && at >= since)
  const place = waiting === -1 ? known.length - 1 : waiting
  return known.toSpliced(place, 0, ...said.filter(isPending).toReversed())
}
