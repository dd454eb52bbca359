import { WHATSAPP_ADDRESS } from '#platform/values.ts'
import type { Conversation, ConversationEntry } from '#domains/conversations/contract.ts'
import {
  CHAT_ADDRESS,
  type ConversationChannel,
  type ConversationState,
} from '#domains/conversations/values.ts'
import type { Member } from '#domains/identity/contract.ts'
import { dayNumber, timeOfDay } from '../../ui/time.tsx'
import type { InboxView } from './search.ts'

export const viewWords: Record<InboxView, string> = {
  mine: 'Mine',
  unassigned: 'Unassigned',
  open: 'All open',
  waiting: 'Waiting',
  snoozed: 'Snoozed',
  closed: 'Closed',
}

export const channelWords: Record<ConversationChannel, string> = {
  email: 'Email',
  sms: 'SMS',
  chat: 'Web chat',
  whatsapp: 'WhatsApp',
}

export const stateWords: Record<ConversationState, { tone: string; label: string }> = {
  OPEN: { tone: 'blue', label: 'Open' },
  WAITING: { tone: 'slate', label: 'Waiting for reply' },
  SNOOZED: { tone: 'violet', label: 'Snoozed' },
  CLOSED: { tone: 'slate', label: 'Closed' },
}

/** The name of the other side, or else the address. */
export function conversationName({ participants }: Pick<Conversation, 'participants'>): string {
  const other = participants[0]
  if (other?.name) return other.name
  if (other?.address.startsWith(CHAT_ADDRESS)) return 'Visitor'
  if (other?.address.startsWith(WHATSAPP_ADDRESS)) return 'Somebody on WhatsApp'
  return other?.address || 'Unknown'
}

export function addressOf({ participants }: Pick<Conversation, 'participants'>): string {
  return participants[0]?.address ?? ''
}

export function channelOf(address: string): ConversationChannel {
  if (address.startsWith(CHAT_ADDRESS)) return 'chat'
  if (address.startsWith(WHATSAPP_ADDRESS)) return 'whatsapp'
  return address.includes('@') ? 'email' : 'sms'
}

const DAY_MS = 86_400_000
const SOON_MS = 3_600_000
const WEEK_DAYS = 7

const locale = navigator.language.startsWith('en') ? navigator.language : 'en-GB'
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' })
const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const dateAndYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })

/** "14:21", "Mon", "17 Nov": as short as it can be told apart. */
export function shortTime(at: string, now: number): string {
  const then = Date.parse(at)
  const days = dayNumber(now) - dayNumber(then)
  if (days === 0) return timeOfDay(at)
  return days > 0 && days < WEEK_DAYS ? weekday.format(then) : shortDate(then, now)
}

/** "14:21", "tomorrow 09:00", "Mon 09:00", "17 Nov 09:00". */
export function shortDayAndTime(at: string, now: number): string {
  const then = Date.parse(at)
  const days = dayNumber(then) - dayNumber(now)
  if (days === 0) return timeOfDay(at)
  if (days === 1) return `tomorrow ${timeOfDay(at)}`
  if (days === -1) return `yesterday ${timeOfDay(at)}`
  const day = Math.abs(days) < WEEK_DAYS ? weekday.format(then) : shortDate(then, now)
  return `${day} ${timeOfDay(at)}`
}

function shortDate(at: number, now: number): string {
  return (Math.abs(now - at) < 300 * DAY_MS ? date : dateAndYear).format(at)
}

export type Due = { tone: 'late' | 'soon' | 'later'; label: string }

/** Until when an answer is due, or since when it is late. */
export function dueInWords(
  { answer_due_at: due }: Pick<Conversation, 'answer_due_at'>,
  now: number,
): Due | undefined {
  if (due === null) return undefined
  const left = Date.parse(due) - now
  if (left <= 0) return { tone: 'late', label: `Late since ${shortDayAndTime(due, now)}` }
  return { tone: left < SOON_MS ? 'soon' : 'later', label: `Due ${shortDayAndTime(due, now)}` }
}

/** Whether a reply of a person has not left yet and can be taken back. */
export function isHeld({ kind, status, author, held_until }: ConversationEntry, now: number): boolean {
  return (
    kind === 'message' &&
    status === 'DUE' &&
    author.kind === 'person' &&
    held_until !== null &&
    Date.parse(held_until) > now
  )
}

/** Whether an entry says something to or from the other side. */
export function isSaid({ kind, automatic, status }: ConversationEntry): boolean {
  return kind === 'message' && !automatic && status !== 'CANCELLED'
}

/** What stands behind the @ of a mention. */
export function mentionName({ name, email }: Pick<Member, 'name' | 'email'>): string {
  return name || email.slice(0, email.indexOf('@'))
}
