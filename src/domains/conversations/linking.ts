import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { nextVersion } from '#platform/version.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { nameOf } from '#domains/leads/model.ts'
import { findLead, findLeadIdsByAddress } from '#domains/leads/service.ts'
import { moveTurns } from './agent-store.ts'
import { watchClock } from './clock.ts'
import { conversationEvents } from './contract.ts'
import { aboutConversation, answered, channelOf, keyOf } from './model.ts'
import * as entryStore from './entry-store.ts'
import * as store from './store.ts'
import type { ConversationRow } from './store.ts'
import { LABELS_MAX } from './values.ts'

/**
 * An address turns out to be a lead's: its conversation becomes the lead's, or goes on in the one that the lead has. Both
 * rows are held. Answers the conversation where it goes on.
 */
export async function linkAddress(
  ctx: Context,
  stray: ConversationRow,
  lead: Lead,
  known: ConversationRow | undefined,
): Promise<ConversationRow> {
  if (!known) {
    const fields = {
      lead_id: lead.id,
      name: nameOf(lead),
      updated_at: nextVersion(stray.updated_at, ctx.now()),
    }
    store.updateConversation(ctx, stray.id, fields)
    return told(ctx, stray, { ...stray, ...fields })
  }
  const joined = { ...joinedFields(known, stray), updated_at: nextVersion(known.updated_at, ctx.now()) }
  entryStore.moveEntries(ctx, stray.id, known.id)
  moveTurns(ctx, stray.id, known.id)
  store.updateConversation(ctx, stray.id, {
    ...answered,
    state: 'CLOSED',
    snoozed_until: null,
    labels: [],
    merged_into: known.id,
    updated_at: nextVersion(stray.updated_at, ctx.now()),
  })
  store.updateConversation(ctx, known.id, joined)
  if (joined.answer_due_at && joined.answer_due_at !== known.answer_due_at)
    watchClock(ctx, known.id, {
      answer_due_at: joined.answer_due_at,
      escalate_at: joined.escalate_at ?? null,
    })
  return told(ctx, stray, { ...known, ...joined })
}

/** The lead with this address, the oldest if there are several. */
export async function leadOfAddress(ctx: Context, address: string): Promise<Lead | undefined> {
  if (['chat', 'whatsapp'].includes(channelOf(address))) return undefined
  const kind = channelOf(address) === 'email' ? 'email' : 'phone'
  const [id] = await findLeadIdsByAddress(ctx, kind, keyOf(address))
  return id === undefined ? undefined : findLead(ctx, id)
}

function told(ctx: Context, before: ConversationRow, after: ConversationRow): ConversationRow {
  record(ctx, conversationEvents.changed, aboutConversation(after), {
    before: { lead_id: before.lead_id, id: before.id },
    after: { lead_id: after.lead_id, id: after.id },
  })
  return after
}

/** The later message says how things stand; what waits longest still waits. */
function joinedFields(known: ConversationRow, stray: ConversationRow): Partial<ConversationRow> {
  const isLater = stray.last_message_at > known.last_message_at
  const { channel, subject, address, last_message_at, last_direction, last_text } = isLater ? stray : known
  const first =
    earliest(known.unanswered_since, stray.unanswered_since) === known.unanswered_since ? known : stray
  const isOpen = stray.state === 'OPEN' || known.state === 'OPEN'
  return {
    channel,
    subject: subject ?? known.subject ?? stray.subject,
    address,
    last_message_at,
    last_direction,
    last_text,
    last_in_at: latest(known.last_in_at, stray.last_in_at),
    ...(isOpen && { state: 'OPEN', snoozed_until: null }),
    unanswered_since: earliest(known.unanswered_since, stray.unanswered_since),
    waits_channel: first.waits_channel,
    waits_mailbox_id: first.waits_mailbox_id,
    answered_at: earliest(known.answered_at, stray.answered_at),
    escalate_at: earliest(known.escalate_at, stray.escalate_at),
    escalated_at: earliest(known.escalated_at, stray.escalated_at),
    answer_due_at: earliest(known.answer_due_at, stray.answer_due_at),
    overdue_at: earliest(known.overdue_at, stray.overdue_at),
    // Who has decided about the agent has decided, also that there is none any more.
    ...(known.agent_id === null && { agent_id: stray.agent_id, agent_mode: stray.agent_mode }),
    labels: [...new Set([...known.labels, ...stray.labels])].slice(0, LABELS_MAX),
  }
}

function earliest(a: string | null, b: string | null): string | null {
  return a === null || b === null ? (a ?? b) : a < b ? a : b
}

function latest(a: string | null, b: string | null): string | null {
  return a === null || b === null ? (a ?? b) : a > b ? a : b
}
