import type { Step } from '#domains/sequences/contract.ts'
import type { delayUnits, SequenceStatus, StepType } from '#domains/sequences/values.ts'
import type { Decision, Hold, OutreachStatus, StopReason } from '#domains/enrolments/values.ts'
import { plural } from '../../ui/words.ts'

export type Words = { tone: string; label: string }

export const sequenceWords: Record<SequenceStatus, Words & { about: string }> = {
  DRAFT: { tone: 'slate', label: 'Draft', about: 'Nothing is sent, and nobody can be enrolled yet.' },
  ACTIVE: { tone: 'green', label: 'Active', about: 'Its steps are done when they fall due.' },
  PAUSED: { tone: 'amber', label: 'Paused', about: 'Nothing is sent until somebody resumes it.' },
}

/** How far a lead has come, in the order of the pipeline. */
export const outreachWords: Record<OutreachStatus, Words> = {
  IDLE: { tone: 'slate', label: 'Not begun' },
  PENDING: { tone: 'slate', label: 'Waiting' },
  SENT: { tone: 'blue', label: 'Sent' },
  OPENED: { tone: 'violet', label: 'Opened' },
  MEETING_LINK_CLICKED: { tone: 'pink', label: 'Meeting link clicked' },
  MEETING_BOOKED: { tone: 'teal', label: 'Meeting booked' },
  CLOSED: { tone: 'slate', label: 'Closed' },
  CONVERTED: { tone: 'green', label: 'Converted' },
}

/** Why a lead does not go on just now. */
export const holdWords: Record<Hold, string> = {
  paused: 'Paused for this lead',
  sequence_paused: 'The sequence is paused',
  team_paused: 'All outreach is paused',
  window: 'Waits for the sending window',
  cap: 'The limit of the day is reached',
  quiet_hours: 'Quiet hours for text messages',
  review: 'Its icebreaker waits for approval',
  personalizing: 'Its icebreaker is being written',
  no_template: 'The template does not exist',
  incomplete: 'Something is missing in the message',
  failed: 'It could not be sent',
  unknown: 'Nobody knows whether it was sent',
}

/** Pausing counts at once; the reason that is kept is looked at when the next step falls due. */
export function holdOf({ paused_at, held }: { paused_at: string | null; held: Hold | null }): Hold | null {
  return paused_at ? 'paused' : held
}

/** These end only when a person does something about them. */
const needsPerson: readonly Hold[] = ['review', 'no_template', 'incomplete', 'failed', 'unknown']

export function waitsForPerson(hold: Hold): boolean {
  return needsPerson.includes(hold)
}

export const stopWords: Record<StopReason, string> = {
  finished: 'Went through all steps',
  replied: 'Replied',
  bounced: 'The mail bounced',
  complained: 'Marked a mail as spam',
  unsubscribed: 'Unsubscribed',
  suppressed: 'Is on the do-not-contact list',
  meeting_booked: 'Booked a meeting',
  converted: 'Became a customer',
  stopped: 'Stopped by hand',
  lead_trashed: 'The lead is in the trash',
}

export const decisionWords: Record<Decision, Words> = {
  enrolled: { tone: 'blue', label: 'Enrolled' },
  scheduled: { tone: 'slate', label: 'Scheduled' },
  sent: { tone: 'green', label: 'Sent' },
  skipped: { tone: 'slate', label: 'Left out' },
  held: { tone: 'amber', label: 'Held' },
  task: { tone: 'teal', label: 'Task made' },
  personalized: { tone: 'violet', label: 'Icebreaker written' },
  moved: { tone: 'blue', label: 'Moved to a new version' },
  paused: { tone: 'amber', label: 'Paused' },
  resumed: { tone: 'blue', label: 'Resumed' },
  failed: { tone: 'red', label: 'Failed' },
  unknown: { tone: 'red', label: 'Not known' },
  stopped: { tone: 'slate', label: 'Stopped' },
  finished: { tone: 'green', label: 'Finished' },
}

/** Why a lead is not enrolled. */
export const skipWords: Record<string, string> = {
  suppressed: 'is on the do-not-contact list',
  already: 'is or was in this sequence already',
  no_address: 'has no address or number',
  unknown: 'is no lead any more',
}

/** These are the same for every lead: they are set once for the team. */
export function isOfSender(placeholder: string): boolean {
  return ['senderName', 'senderEmail', 'meetingLink'].includes(placeholder)
}

/** How far leads have come, as the filter has it. */
export const reachedWords = {
  sent: 'Got a message',
  opened: 'Opened',
  clicked: 'Clicked',
  replied: 'Replied',
  booked: 'Booked a meeting',
  converted: 'Became a customer',
  ended: 'Have ended',
} as const

export const stepWords: Record<StepType, { name: string; about: string }> = {
  email: { name: 'E-mail', about: 'A mail from one of your templates' },
  sms: { name: 'Text message', about: 'An SMS to the phone number of the lead' },
  task: { name: 'Task', about: 'Something a person does, like a call' },
  delay: { name: 'Wait', about: 'Nothing but time between two steps' },
}

type Named = Pick<Step, 'type' | 'template' | 'description' | 'message' | 'delay_days'>

/** What a step is about, in one line. */
export function stepTitle(step: Named, unit?: DelayUnit): string {
  switch (step.type) {
    case 'email':
      return step.template ? `E-mail “${step.template}”` : 'E-mail'
    case 'sms':
      return step.message ? `Text message “${shortly(step.message)}”` : 'Text message'
    case 'task':
      return step.description ? `Task “${shortly(step.description)}”` : 'Task'
    case 'delay':
      return capital(delayInWords(step.delay_days ?? 0, unit))
  }
}

type DelayUnit = (typeof delayUnits)[number]

/** What stands on the line between two steps. */
export function delayInWords(days: number, unit: DelayUnit = 'calendar_days'): string {
  if (days === 0) return 'at once'
  return `wait ${plural(days, unit === 'working_days' ? 'working day' : 'day')}`
}

/** "mail 3 · SMS 1 · task 1 over 14 days". */
export function stepsInShort(steps: readonly Step[]): string {
  const counted = (
    [
      ['mail', 'email'],
      ['SMS', 'sms'],
      ['task', 'task'],
    ] as const
  ).flatMap(([word, type]) => {
    const number = steps.filter(step => step.type === type).length
    return number > 0 ? [`${word} ${number}`] : []
  })
  if (counted.length === 0) return 'No steps yet'
  const days = steps.reduce((sum, { delay_days = 0 }) => sum + delay_days, 0)
  return `${counted.join(' · ')} ${days > 0 ? `over ${plural(days, 'day')}` : 'at once'}`
}

const TITLE_LENGTH_MAX = 48

function shortly(text: string): string {
  const line = text.trim().split('\n')[0] ?? ''
  return line.length > TITLE_LENGTH_MAX ? `${line.slice(0, TITLE_LENGTH_MAX).trimEnd()}…` : line
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
