import { dayAndTime } from '../../ui/time.tsx'
import type { RecordWords, Told } from './timeline-entry.ts'

/** All events of meetings, for the timeline filter. */
export const meetingTypes = ['meeting.booked', 'meeting.moved', 'meeting.changed', 'meeting.cancelled']

/** A meeting event on the timeline of a lead, as the rest of a sentence. */
export function meetingWords({ type, subject, data }: Told): RecordWords | undefined {
  const name = text(data.title) ?? text(data.name) ?? 'a meeting'
  const record = { kind: 'meeting' as const, id: subject.id, name }
  switch (type) {
    case 'meeting.booked':
      return { before: 'booked the meeting', record, after: at('for', data.starts_at) }
    case 'meeting.moved':
      return { before: 'rescheduled the meeting', record, after: at('to', data.starts_at) }
    case 'meeting.changed':
      return changeWords(data, record)
    case 'meeting.cancelled':
      return { before: 'cancelled the meeting', record, after: at('scheduled for', data.starts_at) }
    default:
      return undefined
  }
}

/** Why it was cancelled. */
export function meetingDetail({ type, data }: Pick<Told, 'type' | 'data'>): string {
  return type === 'meeting.cancelled' ? (text(data.reason) ?? '') : ''
}

function changeWords(data: Told['data'], record: NonNullable<RecordWords['record']>): RecordWords {
  const after = (data.after ?? {}) as Record<string, unknown>
  switch (after.status) {
    case 'HELD':
      return { before: 'marked the meeting', record, after: 'as held' }
    case 'NO_SHOW':
      return { before: 'marked the meeting', record, after: 'as a no-show' }
    case 'BOOKED':
      return { before: 'cleared the outcome of the meeting', record }
    default:
      return { before: 'changed the details of the meeting', record }
  }
}

function at(word: string, instant: unknown): string {
  const when = text(instant)
  return when && !Number.isNaN(Date.parse(when)) ? `${word} ${dayAndTime(when)}` : ''
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() ? value.trim() : undefined
}
