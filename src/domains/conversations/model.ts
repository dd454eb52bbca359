import type { ConversationRow } from './store.ts'
import { WHATSAPP_ADDRESS } from '#platform/values.ts'
import { CHAT_ADDRESS, LAST_TEXT_LENGTH_MAX, type ConversationChannel } from './values.ts'

/** What is shown of a conversation beside its last message. */
export type Said = {
  channel: ConversationChannel
  subject: string | null
  text: string
  at: string
}

/** Since when the first message waits that nobody has answered, where it came in, and until when it is to be answered. */
export type AnswerClock = Pick<
  ConversationRow,
  | 'unanswered_since'
  | 'waits_channel'
  | 'waits_mailbox_id'
  | 'answer_due_at'
  | 'overdue_at'
  | 'escalate_at'
  | 'escalated_at'
>

/** The answer clock at rest: nothing waits for us. */
export const answered: AnswerClock = {
  unanswered_since: null,
  waits_channel: null,
  waits_mailbox_id: null,
  answer_due_at: null,
  overdue_at: null,
  escalate_at: null,
  escalated_at: null,
}

/** Something came in that somebody has to answer. */
export function received(
  before: ConversationRow,
  said: Said & { address: string; name: string | null },
): Partial<ConversationRow> {
  return {
    ...lastOf(said, 'in'),
    state: 'OPEN',
    snoozed_until: null,
    address: said.address,
    name: said.name ?? before.name,
    last_in_at: said.at,
    unanswered_since: before.unanswered_since ?? said.at,
  }
}

/** We have written: now it is their turn. */
export function sent(before: ConversationRow, said: Said): Partial<ConversationRow> {
  return {
    ...lastOf(said, 'out'),
    ...answered,
    state: 'WAITING',
    snoozed_until: null,
    answered_at: before.answered_at ?? said.at,
  }
}

/** A text message has no subject: that of the emails before it stays. */
export function lastOf(
  { channel, subject, text, at }: Said,
  direction: 'in' | 'out',
): Partial<ConversationRow> {
  return {
    channel,
    ...(subject !== null && { subject }),
    last_message_at: at,
    last_direction: direction,
    last_text: beginningOf(text),
  }
}

export function beginningOf(text: string): string {
  return text
    .slice(0, LAST_TEXT_LENGTH_MAX * 2)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LAST_TEXT_LENGTH_MAX)
    .toWellFormed()
}

/** Email addresses in lower case; phone numbers have one form only, and what WhatsApp calls somebody is kept as it is. */
export function keyOf(address: string): string {
  return address.startsWith(WHATSAPP_ADDRESS) ? address : address.toLowerCase()
}

/** On which somebody is written to there, unless they have used another: a number is reached by WhatsApp as well. */
export function channelOf(address: string): ConversationChannel {
  if (address.startsWith(CHAT_ADDRESS)) return 'chat'
  if (address.startsWith(WHATSAPP_ADDRESS)) return 'whatsapp'
  return address.includes('@') ? 'email' : 'sms'
}

export function aboutConversation({ id, lead_id }: Pick<ConversationRow, 'id' | 'lead_id'>) {
  return { kind: 'conversation', id, lead_id }
}
