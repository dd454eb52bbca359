import { fieldsIn, is as told, quoted, type Data, type Known } from './sentence.ts'

const is = (label: string, say: Known['say']) => told('Meetings', label, say)

/** Meetings, availability and calendars in the audit log. */
export const meetingTypes: Record<string, Known> = {
  'meeting.booked': is('Meeting booked', ({ title }) => `booked the meeting ${quoted(title)}`),
  'meeting.moved': is('Meeting rescheduled', ({ title }) => `rescheduled the meeting ${quoted(title)}`),
  'meeting.changed': is('Meeting changed', ({ name, after }) => {
    const verdict = verdicts[String((after as Data | null | undefined)?.status)]
    return verdict ? verdict(quoted(name)) : `changed ${fieldsIn(after)} of the meeting ${quoted(name)}`
  }),
  'meeting.cancelled': is('Meeting cancelled', ({ title }) => `cancelled the meeting ${quoted(title)}`),
  'meeting.synced': is('Meeting synced to a calendar', ({ title, state }) =>
    state === 'FAILED'
      ? `could not add the meeting ${quoted(title)} to its host’s calendar`
      : `added the meeting ${quoted(title)} to its host’s calendar`,
  ),
  'availability.changed': is(
    'Meeting settings changed',
    ({ after }) => `changed ${fieldsIn(after)} in the meeting settings`,
  ),
  'calendar.connected': is('Calendar connected', ({ name }) =>
    name ? `connected the calendar ${quoted(name)}` : 'connected a calendar',
  ),
  'calendar.disconnected': is('Calendar disconnected', () => 'disconnected a calendar'),
  'calendar.failing': is('Calendar not reachable', () => 'could not read a calendar'),
}

const verdicts: Record<string, ((name: string) => string) | undefined> = {
  HELD: name => `marked the meeting ${name} as held`,
  NO_SHOW: name => `marked the meeting ${name} as a no-show`,
  BOOKED: name => `cleared the outcome of the meeting ${name}`,
}
