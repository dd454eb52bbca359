import type { RecordWords, Told } from './timeline-entry.ts'

/** All events of conversations, for the timeline filter. */
export const conversationTypes = [
  'conversation.received',
  'conversation.sent',
  'conversation.noted',
  'conversation.assigned',
  'conversation.closed',
  'conversation.waiting',
  'conversation.escalated',
  'conversation.handed_over',
  'conversation.changed',
  'chat.begun',
]

/** An event of the conversation with a lead, as the rest of a sentence. */
export function conversationWords({ type, subject, data }: Told): RecordWords | undefined {
  const the = { record: { kind: 'conversation' as const, id: subject.id, name: 'the conversation' } }
  switch (type) {
    case 'conversation.received':
      return { before: 'received', record: { ...the.record, name: received(data) } }
    case 'conversation.sent':
      return { before: 'sent', record: { ...the.record, name: received(data) } }
    case 'chat.begun':
      return { before: 'started', record: { ...the.record, name: 'a web chat' } }
    case 'conversation.noted':
      return { before: 'wrote a note in', ...the }
    case 'conversation.assigned':
      return { before: data.assignee_id ? 'assigned' : 'unassigned', ...the }
    case 'conversation.closed':
      return { before: 'closed', ...the }
    case 'conversation.handed_over':
      return { before: 'handed over', ...the }
    case 'conversation.waiting':
      return { before: 'marked the answer as overdue in', ...the }
    case 'conversation.escalated':
      return { before: 'escalated the overdue answer in', ...the }
    case 'conversation.changed':
      return { before: change((data.after ?? {}) as Record<string, unknown>), ...the }
    default:
      return undefined
  }
}

/** What the events of messages say already: that one was sent, and that one of ours was answered. */
export function isConversationTold({ type, data }: Pick<Told, 'type' | 'data'>): boolean {
  // A web chat has no messages of the outbox.
  const isTold = type === 'conversation.sent' && data.channel !== 'chat'
  return (
    !isTold && type !== 'conversation.forwarded' && !(type === 'conversation.received' && data.message_id)
  )
}

/** What somebody wrote: plain text only. */
export function conversationDetail({ type, data }: Told): string {
  const isWritten = written.includes(type)
  return isWritten && typeof data.text === 'string' ? data.text.trim() : ''
}

const written = ['conversation.received', 'conversation.sent', 'conversation.noted']

function received({ channel, subject }: Record<string, unknown>): string {
  if (typeof subject === 'string' && subject) return subject
  if (channel === 'whatsapp') return 'a WhatsApp message'
  if (channel === 'chat') return 'a web chat message'
  return channel === 'sms' ? 'a text message' : 'an email'
}

function change({ state, lead_id, labels, agent_mode }: Record<string, unknown>): string {
  if (lead_id) return 'linked'
  if (state === 'SNOOZED') return 'snoozed'
  if (state === 'OPEN') return 'reopened'
  if (agent_mode) return 'changed the agent of'
  return labels ? 'labelled' : 'updated'
}
