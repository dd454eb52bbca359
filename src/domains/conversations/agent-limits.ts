import type { Context } from '#platform/context.ts'
import type { Agent } from '#domains/agents/contract.ts'
import { isPaused } from '#domains/messages/settings.ts'
import { findMailbox } from '#domains/mailboxes/sending.ts'
import type { Asked } from './agent-asking.ts'
import { countAnswers } from './agent-store.ts'
import type { Incoming } from './agent-task.ts'
import { loopFault } from './automatic-limit.ts'
import { asksForPerson } from './agent-words.ts'
import { planSaying, planSending } from './holds.ts'
import { isOpenAt } from './open-hours.ts'
import type { ConversationRow } from './store.ts'
import { readThread } from './thread.ts'
import { PERSON_WROTE_MS } from './values.ts'

const LOOKED_AT = 50

/** Why an agent that answers on its own must leave this message to a person. */
export async function limitBefore(
  ctx: Context,
  row: ConversationRow,
  entry: Incoming,
  agent: Agent | undefined,
): Promise<string | undefined> {
  if (!agent) return 'The agent is in the trash.'
  if (asksForPerson(entry.text)) return 'They asked for a person.'
  const { hours, answers_max } = agent.text
  if (hours && !isOpenAt(Date.parse(ctx.now()), { hours: hours.spans, timezone: hours.timezone }))
    return "It is outside the agent's hours."
  if (answers_max === 0 || (await countAnswers(ctx, row.id, answers_max)) >= answers_max)
    return 'The agent has given all the answers that it may give in a conversation.'
  const loop = await loopFault(ctx, row.id, entry.channel)
  if (loop !== null) return loop
  if (entry.channel !== 'chat' && (await isPaused(ctx))) return 'Outreach is paused for the whole team.'
  return heldBy(ctx, row, entry)
}

/** Why an agent that answers on its own only drafts this time. */
export async function draftsOnly(
  ctx: Context,
  row: ConversationRow,
  { mailbox_id }: Incoming,
): Promise<string | undefined> {
  const { data } = await readThread(ctx, row, { limit: LOOKED_AT })
  const since = ctx.in(-PERSON_WROTE_MS)
  const byPerson = data.some(
    ({ kind, direction, author, at, status }) =>
      kind === 'message' &&
      direction === 'out' &&
      author.kind === 'person' &&
      at > since &&
      status !== 'CANCELLED',
  )
  if (byPerson) return 'A person wrote within the last 15 minutes.'
  const mailbox = mailbox_id === null ? undefined : await findMailbox(ctx, mailbox_id)
  if (mailbox && mailbox.owner_id !== null)
    return 'It came to a personal mailbox, from which only its owner writes.'
  return undefined
}

/** Why an answer is not good enough to be sent by nobody but its agent. */
export function limitAfter({ answer, reason, wantsPerson }: Asked, { text }: Agent): string | undefined {
  if (!answer || wantsPerson) return reason ?? 'The agent found no answer.'
  if (text.topics.length > 0 && (answer.topic === null || !text.topics.includes(answer.topic)))
    return 'It is not one of the topics that the agent may answer about.'
  if (answer.confidence < text.confidence_min) return 'The agent is not sure enough of its answer.'
  return undefined
}

/** Suppressed, or held back for a time: a person sees that it waits. */
async function heldBy(
  ctx: Context,
  { id, lead_id }: ConversationRow,
  { channel, address }: Incoming,
): Promise<string | undefined> {
  const { refusal, hold_reason, detail } =
    channel === 'chat'
      ? planSaying(address, ctx.now())
      : await planSending(ctx, { id, lead_id, address }, channel)
  return refusal || hold_reason ? (detail ?? undefined) : undefined
}
