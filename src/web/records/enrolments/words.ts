import type { Enrolment } from '#domains/enrolments/contract.ts'
import type { Message } from '#domains/messages/contract.ts'
import type { MessageChannel, MessageOutcome, MessageStatus } from '#domains/messages/values.ts'
import type { Hold } from '#domains/enrolments/values.ts'
import { plural } from '../../ui/words.ts'
import type { Tab } from './search.ts'

type Words = { tone: string; label: string; about: string }

export const tabWords: Record<Tab, string> = {
  waiting: 'Queued',
  sent: 'Sent',
  failed: 'Failed',
  unknown: 'Unknown',
  returned: 'Bounces and complaints',
  all: 'All',
}

export const channelWords: Record<MessageChannel, string> = {
  email: 'Email',
  sms: 'Text message',
  whatsapp: 'WhatsApp',
}

/** The status of a message, and what to do about it. */
export const statusWords: Record<MessageStatus, Words> = {
  DUE: { tone: 'slate', label: 'Queued', about: 'It will be sent when it is due.' },
  SENDING: { tone: 'blue', label: 'Sending', about: 'It is being sent now.' },
  SENT: { tone: 'green', label: 'Sent', about: 'Accepted for delivery.' },
  FAILED: {
    tone: 'red',
    label: 'Failed',
    about: 'It was not sent. Fix the problem, then resend it.',
  },
  UNKNOWN: {
    tone: 'amber',
    label: 'Unknown',
    about:
      'The connection dropped while sending, so it may or may not have been sent. It is not resent automatically because it could arrive twice.',
  },
  CANCELLED: { tone: 'slate', label: 'Cancelled', about: 'Cancelled before it was sent.' },
}

export const outcomeWords: Record<MessageOutcome, string> = {
  delivered: 'Delivered',
  opened: 'Opened',
  clicked: 'Clicked',
  replied: 'Replied',
  bounced: 'Bounced',
  complained: 'Marked as spam',
  unsubscribed: 'Unsubscribed',
}

/** The state of a message in one word; a bounce or complaint outranks its status. */
export function stateOf(message: Message): Words {
  if (message.complained_at)
    return {
      tone: 'red',
      label: 'Complained',
      about: 'The recipient marked it as spam. The address is now suppressed.',
    }
  if (message.bounced_at)
    return {
      tone: 'red',
      label: 'Bounced',
      about: message.bounce?.permanent
        ? 'The mailbox does not exist. The address is now suppressed.'
        : 'The mailbox was temporarily unavailable.',
    }
  return statusWords[message.status]
}

/** Why it is queued, failed or bounced, in the words of the server that rejected it. */
export function whyOf({ reason, bounce, status, tries }: Message): string | undefined {
  const told = bounce?.reason ?? reason ?? undefined
  if (status === 'DUE' && tries > 0) return `Tried ${plural(tries, 'time')}${told ? `: ${told}` : ''}`
  return told
}

/** The subject; a text message has none. */
export function titleOf({ channel, subject, segments }: Message): string {
  if (channel === 'email') return subject || 'No subject'
  return segments && segments > 1 ? `Text message (${plural(segments, 'part')})` : 'Text message'
}

export type Heard = { what: MessageOutcome; at: string; machine: boolean }

/** Engagement with it, oldest first. */
export function heardOf(message: Message): Heard[] {
  const { delivered_at, opened_at, machine_opened_at, clicked_at, replied_at } = message
  const heard: [MessageOutcome, string | null, boolean?][] = [
    ['delivered', delivered_at],
    ['opened', machine_opened_at, true],
    ['opened', opened_at],
    ['clicked', clicked_at],
    ['replied', replied_at],
    ['bounced', message.bounced_at],
    ['complained', message.complained_at],
    ['unsubscribed', message.unsubscribed_at],
  ]
  return heard
    .flatMap(([what, at, machine = false]) => (at === null ? [] : [{ what, at, machine }]))
    .toSorted((a, b) => a.at.localeCompare(b.at))
}

/** Why an enrolment is held. A paused one says so even before its next step is due. */
export function holdOf({ held, paused_at }: Pick<Enrolment, 'held' | 'paused_at'>): Hold | null {
  return held ?? (paused_at ? 'paused' : null)
}

/** What to do about a held enrolment. */
export const holdAdvice: Record<Hold, string> = {
  paused: 'Resume it to continue.',
  sequence_paused: 'It continues when the sequence is resumed.',
  team_paused: 'It continues when outreach is resumed.',
  window: 'It is sent automatically when the window opens in the lead’s time zone.',
  cap: 'It is sent automatically once the daily limit allows it.',
  quiet_hours: 'It is sent automatically when quiet hours end in the lead’s time zone.',
  review: 'Review and approve the icebreaker in the sequence.',
  personalizing: 'It continues automatically in a moment.',
  no_template: 'Create a template with that name, or edit the sequence step.',
  incomplete: 'Fix the template, or set up a meeting link. It is sent once nothing is missing.',
  failed: 'Fix the problem and resend the message, or skip the step.',
  unknown: 'Check with the recipient or your mail server, then resend it or skip the step.',
}
