import type { Step } from '#domains/sequences/contract.ts'
import type { delayUnits, SequenceStatus, StepType } from '#domains/sequences/values.ts'
import type { Decision, Hold, OutreachStatus, StopReason } from '#domains/enrolments/values.ts'
import { plural } from '../../ui/words.ts'

export type Words = { tone: string; label: string }

export const sequenceWords: Record<SequenceStatus, Words & { about: string }> = {
  DRAFT: { tone: 'slate', label: 'Draft', about: 'Nothing is sent until it is activated.' },
  ACTIVE: { tone: 'green', label: 'Active', about: 'Steps run when they are due.' },
  PAUSED: { tone: 'amber', label: 'Paused', about: 'Nothing is sent until it is resumed.' },
}

/** A lead's progress, in pipeline order. */
export const outreachWords: Record<OutreachStatus, Words> = {
  IDLE: { tone: 'slate', label: 'Not started' },
  PENDING: { tone: 'slate', label: 'Waiting' },
  SENT: { tone: 'blue', label: 'Sent' },
  OPENED: { tone: 'violet', label: 'Opened' },
  MEETING_LINK_CLICKED: { tone: 'pink', label: 'Meeting link clicked' },
  MEETING_BOOKED: { tone: 'teal', label: 'Meeting booked' },
  CLOSED: { tone: 'slate', label: 'Closed' },
  CONVERTED: { tone: 'green', label: 'Converted' },
}

/** Why an enrolment is held. */
export const holdWords: Record<Hold, string> = {
  paused: 'Paused for this lead',
  sequence_paused: 'The sequence is paused',
  team_paused: 'All outreach is paused',
  window: 'Outside the sending window',
  cap: 'Daily limit reached',
  quiet_hours: 'Quiet hours for text messages',
  review: 'Icebreaker needs approval',
  personalizing: 'Icebreaker is being written',
  no_template: 'Template does not exist',
  incomplete: 'Message is incomplete',
  failed: 'Sending failed',
  unknown: 'Unknown outcome',
}

/** A pause shows right away; the stored reason is only updated when the next step is due. */
export function holdOf({ paused_at, held }: { paused_at: string | null; held: Hold | null }): Hold | null {
  return paused_at ? 'paused' : held
}

/** These need a person to act. */
const needsPerson: readonly Hold[] = ['review', 'no_template', 'incomplete', 'failed', 'unknown']

export function waitsForPerson(hold: Hold): boolean {
  return needsPerson.includes(hold)
}

export const stopWords: Record<StopReason, string> = {
  finished: 'Completed all steps',
  replied: 'Replied',
  bounced: 'Email bounced',
  complained: 'Marked an email as spam',
  unsubscribed: 'Unsubscribed',
  suppressed: 'On the suppression list',
  meeting_booked: 'Booked a meeting',
  converted: 'Became a customer',
  stopped: 'Stopped manually',
  lead_trashed: 'Lead moved to trash',
}

export const decisionWords: Record<Decision, Words> = {
  enrolled: { tone: 'blue', label: 'Enrolled' },
  scheduled: { tone: 'slate', label: 'Scheduled' },
  sent: { tone: 'green', label: 'Sent' },
  skipped: { tone: 'slate', label: 'Skipped' },
  held: { tone: 'amber', label: 'Held' },
  task: { tone: 'teal', label: 'Task created' },
  personalized: { tone: 'violet', label: 'Icebreaker written' },
  moved: { tone: 'blue', label: 'Moved to new version' },
  paused: { tone: 'amber', label: 'Paused' },
  resumed: { tone: 'blue', label: 'Resumed' },
  failed: { tone: 'red', label: 'Failed' },
  unknown: { tone: 'red', label: 'Unknown' },
  stopped: { tone: 'slate', label: 'Stopped' },
  finished: { tone: 'green', label: 'Finished' },
}

/** Why a lead is not enrolled. */
export const skipWords: Record<string, string> = {
  suppressed: 'is on the suppression list',
  already: 'is or was already in this sequence',
  no_address: 'has no email or phone',
  unknown: 'no longer exists',
}

/** These are set once for the team and are the same for every lead. */
export function isOfSender(placeholder: string): boolean {
  return ['senderName', 'senderEmail', 'meetingLink'].includes(placeholder)
}

/** The options of the progress filter. */
export const reachedWords = {
  sent: 'Contacted',
  opened: 'Opened',
  clicked: 'Clicked',
  replied: 'Replied',
  booked: 'Booked a meeting',
  converted: 'Became a customer',
  ended: 'Ended',
} as const

export const stepWords: Record<StepType, { name: string; about: string }> = {
  email: { name: 'Email', about: 'An email from a template' },
  sms: { name: 'Text message', about: 'An SMS to the lead’s phone number' },
  task: { name: 'Task', about: 'Something for a person to do, like a call' },
  delay: { name: 'Wait', about: 'A delay between two steps' },
}

type Named = Pick<Step, 'type' | 'template' | 'description' | 'message' | 'delay_days'>

/** What a step is about, in one line. */
export function stepTitle(step: Named, unit?: DelayUnit): string {
  switch (step.type) {
    case 'email':
      return step.template ? `Email “${step.template}”` : 'Email'
    case 'sms':
      return step.message ? `Text message “${shortly(step.message)}”` : 'Text message'
    case 'task':
      return step.description ? `Task “${shortly(step.description)}”` : 'Task'
    case 'delay':
      return capital(delayInWords(step.delay_days ?? 0, unit))
  }
}

type DelayUnit = (typeof delayUnits)[number]

/** The label between two steps. */
export function delayInWords(days: number, unit: DelayUnit = 'calendar_days'): string {
  if (days === 0) return 'immediately'
  return `wait ${plural(days, unit === 'working_days' ? 'working day' : 'day')}`
}

/** "3 emails · 1 SMS · 1 task over 14 days". */
export function stepsInShort(steps: readonly Step[]): string {
  const counted = (
    [
      ['email', 'email', 'emails'],
      ['sms', 'SMS', 'SMS'],
      ['task', 'task', 'tasks'],
    ] as const
  ).flatMap(([type, one, many]) => {
    const number = steps.filter(step => step.type === type).length
    return number > 0 ? [plural(number, one, many)] : []
  })
  if (counted.length === 0) return 'No steps yet'
  const days = steps.reduce((sum, { delay_days = 0 }) => sum + delay_days, 0)
  return `${counted.join(' · ')}${days > 0 ? ` over ${plural(days, 'day')}` : ''}`
}

const TITLE_LENGTH_MAX = 48

function shortly(text: string): string {
  const line = text.trim().split('\n')[0] ?? ''
  return line.length > TITLE_LENGTH_MAX ? `${line.slice(0, TITLE_LENGTH_MAX).trimEnd()}…` : line
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
