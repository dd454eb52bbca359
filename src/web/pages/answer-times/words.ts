import type { AnswerFigures, AnswerTimesRow } from '#domains/conversations/contract.ts'
import type { ConversationChannel } from '#domains/conversations/values.ts'
import { NOBODY, type InboxSearch } from '../../records/conversations/search.ts'
import { channelWords } from '../../records/conversations/words.ts'
import type { Grouping } from './search.ts'

const HOUR_MIN = 60

/** "45 s", "12 min", "1 h 20 min": minutes of open hours. */
export function minutesInWords(minutes: number | null): string {
  if (minutes === null) return '–'
  if (minutes < 1) return `${Math.round(minutes * 60)} s`
  const whole = Math.round(minutes)
  if (whole < HOUR_MIN) return `${whole} min`
  const rest = whole % HOUR_MIN
  return rest === 0 ? `${whole / HOUR_MIN} h` : `${Math.floor(whole / HOUR_MIN)} h ${rest} min`
}

/** Of the answers that had a target. A share of very few is none. */
export function shareInWords({ within_target, late }: Pick<AnswerFigures, 'within_target' | 'late'>): string {
  const all = within_target + late
  return all === 0 ? '–' : `${Math.floor((within_target / all) * 100)} %`
}

export function nameOf(by: Grouping, { key, name, kind }: AnswerTimesRow): string {
  if (by === 'channel') return channelWords[key as ConversationChannel] ?? key
  if (by === 'mailbox') return name ?? (key === null ? 'Operator’s mailbox' : 'Disconnected mailbox')
  if (key === null) return kind === 'person' ? 'Nobody' : 'Unknown'
  return name ?? 'Former member'
}

/** The open conversations of this row. Undefined where the Inbox has no such list. */
export function inboxOf(by: Grouping, { key, kind }: AnswerTimesRow): InboxSearch | undefined {
  if (by === 'channel') return { view: 'open', channel: [key!] }
  if (by === 'mailbox') return { view: 'open', mailbox_id: [key ?? NOBODY] }
  return kind === 'person' ? { view: 'open', assignee_id: [key ?? NOBODY] } : undefined
}
