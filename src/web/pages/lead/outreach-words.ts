import type { StopReason } from '#domains/enrolments/values.ts'
import { stopWords } from '../../records/sequences/words.ts'
import type { RecordWords, Told } from './timeline-entry.ts'

/** All events of emails, text messages and sequences, for the timeline filter. */
export const outreachTypes = [
  'email.sent',
  'email.delivered',
  'email.opened',
  'email.clicked',
  'email.replied',
  'email.auto_replied',
  'email.bounced',
  'email.complained',
  'email.unsubscribed',
  'sms.sent',
  'sms.delivered',
  'sms.replied',
  'sms.bounced',
  'sms.unsubscribed',
  'whatsapp.sent',
  'whatsapp.delivered',
  'whatsapp.read',
  'whatsapp.replied',
  'whatsapp.unsubscribed',
  'message.failed',
  'message.cancelled',
  'message.retried',
  'outreach.enrolled',
  'outreach.stopped',
  'outreach.finished',
  'outreach.paused',
  'outreach.resumed',
]

const nouns = new Map([
  ['email', 'an email'],
  ['sms', 'a text message'],
  ['whatsapp', 'a WhatsApp message'],
  ['message', 'a message'],
])

/** An outreach event on the timeline of a lead, as the rest of a sentence. */
export function outreachWords({ type, subject, data }: Told): RecordWords | undefined {
  const [noun = '', verb = ''] = type.split('.')
  if (noun === 'outreach') return sequenceWords(verb, data)
  if (!nouns.has(noun)) return undefined
  const says = messageWords(noun, verb, data)
  if (!says) return undefined
  const id = text(data.message_id) ?? subject.id
  return { ...says, record: { kind: 'message', id, name: text(data.subject) ?? nouns.get(noun)! } }
}

/** Details: the text of a reply, the reason of a bounce, the URL of a click. */
export function outreachDetail({ type, data }: Told): { quote?: string; about?: string } {
  if (type.endsWith('replied')) return { quote: text(data.text) ?? '' }
  if (type === 'email.clicked') return { about: text(data.url) ?? '' }
  if (type.endsWith('.bounced') || type === 'message.failed') return { about: text(data.reason) ?? '' }
  return {}
}

function sequenceWords(verb: string, data: Record<string, unknown>): RecordWords | undefined {
  const id = text(data.sequence_id)
  const name = text(data.sequence_name) ?? 'a sequence'
  const record = id ? { record: { kind: 'sequence' as const, id, name } } : {}
  switch (verb) {
    case 'enrolled':
      return { before: 'enrolled this lead in', ...record }
    case 'stopped': {
      const reason = stopWords[data.reason as StopReason] as string | undefined
      return { before: 'ended', ...record, after: `for this lead${reason ? `: ${lower(reason)}` : ''}` }
    }
    case 'finished':
      return { before: 'finished', ...record, after: 'for this lead' }
    case 'paused':
      return { before: 'paused', ...record, after: 'for this lead' }
    case 'resumed':
      return { before: 'resumed', ...record, after: 'for this lead' }
    default:
      return undefined
  }
}

function messageWords(
  noun: string,
  verb: string,
  data: Record<string, unknown>,
): Omit<RecordWords, 'record'> | undefined {
  switch (verb) {
    case 'sent':
      return { before: 'sent' }
    case 'delivered':
      return { before: 'delivered' }
    case 'opened':
      return data.machine ? { before: 'tracked an automated open of' } : { before: 'tracked an open of' }
    case 'read':
      return { before: 'learned of the reading of' }
    case 'clicked':
      if (data.machine) return { before: 'tracked an automated click in' }
      return { before: data.meeting ? 'tracked a click on the meeting link in' : 'tracked a click in' }
    case 'replied':
      return { before: 'received a reply to' }
    case 'auto_replied':
      return { before: 'received an automatic reply to' }
    case 'bounced':
      return { before: data.permanent ? 'received a permanent bounce for' : 'received a bounce for' }
    case 'complained':
      return { before: 'received a spam complaint about' }
    case 'unsubscribed':
      return { before: noun !== 'email' ? 'received STOP in reply to' : 'received an unsubscribe from' }
    case 'failed':
      return { before: 'could not send' }
    case 'cancelled':
      return { before: 'cancelled' }
    case 'retried':
      return { before: 'retried sending' }
    default:
      return undefined
  }
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() ? value.trim() : undefined
}
