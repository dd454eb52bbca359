import type { Enrolment } from '#domains/enrolments/contract.ts'
import type { Message } from '#domains/messages/contract.ts'
import type { MessageChannel, MessageOutcome, MessageStatus } from '#domains/messages/values.ts'
import type { Hold } from '#domains/enrolments/values.ts'
import { plural } from '../../ui/words.ts'
import type { Tab } from './search.ts'

type Words = { tone: string; label: string; about: string }

export const tabWords: Record<Tab, string> = {
  waiting: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
  unknown: 'Unknown',
  returned: 'Bounced and complained',
  all: 'All',
}

export const channelWords: Record<MessageChannel, string> = { email: 'Mail', sms: 'Text message' }

/** Where a message stands, and what a person does about it. */
export const statusWords: Record<MessageStatus, Words> = {
  DUE: { tone: 'slate', label: 'Waiting', about: 'It is written and goes out when it is due.' },
  SENDING: { tone: 'blue', label: 'Being sent', about: 'It is being handed over just now.' },
  SENT: { tone: 'green', label: 'Sent', about: 'The next server has taken it.' },
  FAILED: {
    tone: 'red',
    label: 'Failed',
    about: 'It was not taken. Mend the reason, then send it again.',
  },
  UNKNOWN: {
    tone: 'amber',
    label: 'Unknown',
    about:
      'The connection broke while it was handed over, so nobody knows whether it was sent. It is not sent again by itself: that could reach the reader twice.',
  },
  CANCELLED: { tone: 'slate', label: 'Cancelled', about: 'It was given up before it was sent.' },
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

/** Where the message stands in one word; what came back weighs more than that it was sent. */
export function stateOf(message: Message): Words {
  if (message.complained_at)
    return {
      tone: 'red',
      label: 'Complained',
      about: 'Its reader marked it as spam. Nobody writes to this address any more.',
    }
  if (message.bounced_at)
    return {
      tone: 'red',
      label: 'Bounced',
      about: message.bounce?.permanent
        ? 'There is no such mailbox. Nobody writes to this address any more.'
        : 'The mailbox could not take it just then.',
    }
  return statusWords[message.status]
}

/** Why it waits, failed or came back: the words of whoever refused it. */
export function whyOf({ reason, bounce, status, tries }: Message): string | undefined {
  const told = bounce?.reason ?? reason ?? undefined
  if (status === 'DUE' && tries > 0) return `Tried ${plural(tries, 'time')}${told ? `: ${told}` : ''}`
  return told
}

/** What is called by its subject; a text message has none. */
export function titleOf({ channel, subject, segments }: Message): string {
  if (channel === 'email') return subject || 'Without a subject'
  return segments && segments > 1 ? `Text message of ${plural(segments, 'part')}` : 'Text message'
}

export type Heard = { what: MessageOutcome; at: string; machine: boolean }

/** What was heard of it, oldest first. */
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

/** Why a lead's sequence does not go on. One that was paused says so before its next step falls due. */
export function holdOf({ held, paused_at }: Pick<Enrolment, 'held' | 'paused_at'>): Hold | null {
  return held ?? (paused_at ? 'paused' : null)
}

/** What to do so that a lead's sequence goes on. */
export const holdAdvice: Record<Hold, string> = {
  paused: 'Resume it when it should go on.',
  sequence_paused: 'It goes on when the sequence is resumed.',
  team_paused: 'It goes on when all outreach is resumed.',
  window: 'It goes out by itself when the window of the sequence opens where the lead lives.',
  cap: 'It goes out by itself on the next day that has room.',
  quiet_hours: 'It goes out by itself when the quiet hours are over where the lead lives.',
  review: 'Read the icebreaker in the sequence and approve it.',
  personalizing: 'It goes on by itself in a moment.',
  no_template: 'Create a template of that name, or change the step of the sequence.',
  incomplete: 'Fix the template, or set up a meeting link. It goes out as soon as nothing is missing.',
  failed: 'Mend the reason and send the message again, or leave the step out.',
  unknown: 'Ask the reader or look at your mail server, then send it again or leave the step out.',
}
