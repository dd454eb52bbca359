/** In the order of the pipeline: a status only moves forward. */
export const outreachStatuses = [
  'IDLE',
  'PENDING',
  'SENT',
  'OPENED',
  'MEETING_LINK_CLICKED',
  'MEETING_BOOKED',
  'CLOSED',
  'CONVERTED',
] as const
export type OutreachStatus = (typeof outreachStatuses)[number]

/** Why an enrolment has ended. */
export const stopReasons = [
  'finished',
  'replied',
  'bounced',
  'complained',
  'unsubscribed',
  'suppressed',
  'meeting_booked',
  'converted',
  'stopped',
  'lead_trashed',
] as const
export type StopReason = (typeof stopReasons)[number]

/** Why an enrolment is currently waiting. */
export const holds = [
  'paused',
  'sequence_paused',
  'team_paused',
  'window',
  'cap',
  'quiet_hours',
  'review',
  'personalizing',
  'no_template',
  'incomplete',
  'failed',
  'unknown',
] as const
export type Hold = (typeof holds)[number]
/** What is looked at again and again until somebody has put it right. */
export const lookedAtAgain: readonly Hold[] = ['no_template', 'incomplete']

/** What was decided at a moment. */
export const decisions = [
  'enrolled',
  'scheduled',
  'sent',
  'skipped',
  'held',
  'task',
  'personalized',
  'moved',
  'paused',
  'resumed',
  'failed',
  'unknown',
  'stopped',
  'finished',
] as const
export type Decision = (typeof decisions)[number]

export const ENROL_MAX = 500
