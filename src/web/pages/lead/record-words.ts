import type { Field } from '../../records/leads/fields.ts'
import { callWords, isCallTold } from './call-words.ts'
import { candidateWords } from './candidate-words.ts'
import { conversationWords, isConversationTold } from './conversation-words.ts'
import { invoiceWords, isInvoiceTold } from './invoice-words.ts'
import { meetingWords } from './meeting-words.ts'
import { outreachWords } from './outreach-words.ts'
import type { Kind, RecordWords, Told } from './timeline-entry.ts'
import { workflowWords } from './workflow-words.ts'

export function recordWords(told: Told): RecordWords | undefined {
  const { type, subject, data } = told
  const [noun = '', verb = ''] = type.split('.')
  if (type === 'deal.stage_changed') {
    if (data.of === 'lead') return { before: 'moved this lead' }
    return { before: 'moved', record: named('opportunity', subject.id, data.name) }
  }
  if (noun === 'workflow') return workflowWords(told)
  if (noun === 'invoice') return invoiceWords(told)
  if (noun === 'meeting') return meetingWords(told)
  if (noun === 'candidate') return candidateWords(told)
  if (noun === 'conversation' || noun === 'chat') return conversationWords(told)
  if (noun === 'call' || noun === 'call_consent') return callWords(told)
  if (noun !== 'opportunity' && noun !== 'task' && noun !== 'project')
    return outreachWords({ type, subject, data })
  switch (verb) {
    case 'created': {
      const made = (data[noun] ?? {}) as Record<string, unknown>
      const says = noun === 'task' ? 'added the task' : `created the ${noun}`
      return { before: says, record: named(noun, subject.id, noun === 'task' ? made.title : made.name) }
    }
    case 'changed':
      return { before: changeInWords(noun, data), record: named(noun, subject.id, data.name) }
    case 'trashed':
      return { before: 'moved', record: named(noun, subject.id, data.name), after: 'to the trash' }
    case 'restored':
      return { before: 'restored', record: named(noun, subject.id, data.name) }
    case 'overdue':
      return {
        before: 'marked the task',
        record: named('task', subject.id, data.title),
        after: 'as overdue',
      }
    case 'reminded':
      return { before: 'sent a reminder for the task', record: named('task', subject.id, data.title) }
    default:
      return undefined
  }
}

/** `webhook:email.bounced` → "reported: email bounced": an event of a provider, under the provider's name for it. */
export function receivedWords(type: string): string {
  return `reported: ${type.slice(type.indexOf(':') + 1).replaceAll(/[._]/g, ' ')}`
}

/** A stage change has its own event, so the general change event leaves it out. */
export function isTold(told: Told): boolean {
  const { type, data } = told
  // Calendar sync is shown on the meeting itself.
  if (type === 'meeting.synced') return false
  if (type.startsWith('call.')) return isCallTold(told)
  if (type.startsWith('conversation.')) return isConversationTold(told)
  if (type !== 'opportunity.changed') return isInvoiceTold({ type, data })
  return changedKeys(data).some(key => key !== 'stage' && key !== 'closed_at')
}

const FIELD = { width: 0, group: 'record', editable: false, nullable: true } as const

/** Fields of deals and tasks whose changes are shown; the others mean nothing to a reader. */
export const recordFields: Field[] = [
  { ...FIELD, key: 'name', label: 'Name', kind: 'text' },
  { ...FIELD, key: 'title', label: 'Title', kind: 'text' },
  { ...FIELD, key: 'amount', label: 'Amount', kind: 'text' },
  { ...FIELD, key: 'currency', label: 'Currency', kind: 'text' },
  { ...FIELD, key: 'close_date', label: 'Close date', kind: 'date' },
  { ...FIELD, key: 'owner_id', label: 'Owner', kind: 'person' },
  { ...FIELD, key: 'account_id', label: 'Account', kind: 'account' },
  { ...FIELD, key: 'assignee_id', label: 'Assignee', kind: 'person' },
  { ...FIELD, key: 'due_at', label: 'Due', kind: 'instant' },
  { ...FIELD, key: 'remind_at', label: 'Reminder', kind: 'instant' },
]

function changeInWords(noun: string, data: Record<string, unknown>): string {
  const after = (data.after ?? {}) as Record<string, unknown>
  if (noun === 'task' && after.status === 'DONE') return 'checked off'
  if (noun === 'task' && after.status === 'DOING') return 'started'
  if (noun === 'task' && after.status === 'TODO') return 'reopened'
  const keys = changedKeys(data)
  const labels = recordFields.filter(({ key }) => keys.includes(key)).map(({ label }) => label.toLowerCase())
  return labels.length ? `changed ${labels.join(', ')} of` : 'changed'
}

function changedKeys(data: Record<string, unknown>): string[] {
  return Object.keys((data.after ?? {}) as object).filter(key => key !== 'updated_at')
}

function named(kind: Kind, id: string, name: unknown): NonNullable<RecordWords['record']> {
  return { kind, id, name: text(name) ?? (kind === 'opportunity' ? 'an opportunity' : `a ${kind}`) }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() ? value.trim() : undefined
}
