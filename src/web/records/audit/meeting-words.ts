import { fieldsIn, is as told, quoted, type Data, type Known } from './telling.ts'

const is = (label: string, say: Known['say']) => told('Meetings', label, say)

/** What is told of meetings, of when one can be met, and of calendars. */
export const meetingTypes: Record<string, Known> = {
  'meeting.booked': is('Meeting booked', ({ title }) => `booked the meeting ${quoted(title)}`),
  'meeting.moved': is('Meeting moved', ({ title }) => `moved the meeting ${quoted(title)} to another time`),
  'meeting.changed': is('Meeting changed', ({ name, after }) => {
    const verdict = verdicts[String((after as Data | null | undefined)?.status)]
    return verdict ? verdict(quoted(name)) : `changed ${fieldsIn(after)} of the meeting ${quoted(name)}`
  }),
  'meeting.cancelled': is('Meeting cancelled', ({ title }) => `cancelled the meeting ${quoted(title)}`),
  'meeting.synced': is('Meeting written into a calendar', ({ title, state }) =>
    state === 'FAILED'
      ? `could not write the meeting ${quoted(title)} into its host’s calendar`
      : `wrote the meeting ${quoted(title)} into its host’s calendar`,
  ),
  'availability.changed': is(
    'Meeting settings changed',
    ({ after }) => `changed ${fieldsIn(after)} of when to be met`,
  ),
  'calendar.connected': is('Calendar connected', ({ name }) =>
    name ? `connected the calendar ${quoted(name)}` : 'connected a calendar',
  ),
  'calendar.disconnected': is('Calendar disconnected', () => 'disconnected a calendar'),
  'calendar.failing': is('Calendar not reachable', () => 'could not read a calendar'),
}

const verdicts: Record<string, ((name: string) => string) | undefined> = {
  HELD: name => `noted that the meeting ${name} was held`,
  NO_SHOW: name => `noted that nobody came to the meeting ${name}`,
  BOOKED: name => `took back what became of the meeting ${name}`,
}
