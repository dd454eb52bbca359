import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventStatus,
  type ICalEventData,
} from 'ical-generator'
import type { MeetingRow } from './store.ts'
import { manyLines, oneLine } from './texts.ts'

/** A meeting as iCalendar data. */
export type Told = Pick<
  MeetingRow,
  | 'title'
  | 'description'
  | 'starts_at'
  | 'ends_at'
  | 'location'
  | 'guest_name'
  | 'guest_email'
  | 'status'
  | 'calendar_uid'
  | 'sequence'
  | 'created_at'
  | 'updated_at'
>

export type Party = { name: string; email: string }
export type Method = 'REQUEST' | 'CANCEL' | 'PUBLISH'
type Invitation = { method: Method; organizer: Party; attendee: Party | null; url?: string }

/** For a mail (RFC 6047): who gets it can accept it, and a later one takes the place of an earlier one. */
export function invitationIcs(meeting: Told, { method, organizer, attendee, url }: Invitation): string {
  const host = { ...partyOf(organizer), status: ICalAttendeeStatus.ACCEPTED, role: ICalAttendeeRole.REQ }
  const guest = attendee && {
    ...partyOf(attendee),
    status: ICalAttendeeStatus.NEEDSACTION,
    role: ICalAttendeeRole.REQ,
    rsvp: true,
  }
  return written(
    [{ ...eventOf(meeting, url), organizer: partyOf(organizer), attendees: guest ? [guest, host] : [host] }],
    method,
  )
}

/**
 * For the host's own calendar (RFC 4791). Nobody is named as invited: the server would write to them, and that is done
 * already.
 */
export function calendarIcs(meeting: Told, url?: string): string {
  return written([withGuest(meeting, url)])
}

/** All of a member's, for a calendar that subscribes to them. */
export function feedIcs(meetings: readonly (Told & { url?: string })[]): string {
  return written(
    meetings.map(meeting => withGuest(meeting, meeting.url)),
    'PUBLISH',
    { name: 'Rapport', ttl: FEED_AGE_S },
  )
}

/** How often it is worth to ask again. */
const FEED_AGE_S = 15 * 60

const methods = {
  REQUEST: ICalCalendarMethod.REQUEST,
  CANCEL: ICalCalendarMethod.CANCEL,
  PUBLISH: ICalCalendarMethod.PUBLISH,
}

function written(
  events: ICalEventData[],
  method?: Method,
  more: { name?: string; ttl?: number } = {},
): string {
  const calendar = ical({
    prodId: { company: 'Rapport', product: 'Meetings', language: 'EN' },
    ...more,
    ...(method && { method: methods[method] }),
  })
  for (const event of events) calendar.createEvent(event)
  return `${calendar.toString()}\r\n`
}

/** Times are in UTC: there is no rule of a time zone that could be understood otherwise. */
function eventOf(meeting: Told, url?: string): ICalEventData {
  const about = [meeting.description, url && `Reschedule or cancel: ${url}`].filter(Boolean).join('\n\n')
  return {
    id: meeting.calendar_uid,
    sequence: meeting.sequence,
    start: new Date(meeting.starts_at),
    end: new Date(meeting.ends_at),
    // When it was last changed, so that what has not changed reads the same.
    stamp: new Date(meeting.updated_at),
    created: new Date(meeting.created_at),
    lastModified: new Date(meeting.updated_at),
    summary: oneLine(meeting.title),
    status: meeting.status === 'CANCELLED' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    ...(about && { description: manyLines(about) }),
    ...(meeting.location && { location: oneLine(meeting.location) }),
    ...(url && { url }),
  }
}

function withGuest(meeting: Told, url?: string): ICalEventData {
  const guest = [meeting.guest_name, meeting.guest_email].filter(Boolean).join(', ')
  const description = [guest && `With ${guest}`, meeting.description].filter(Boolean).join('\n\n')
  const event = eventOf({ ...meeting, description: null })
  return { ...event, ...(description && { description: manyLines(description) }), ...(url && { url }) }
}

function partyOf({ name, email }: Party): Party {
  return { name: oneLine(name) || email, email }
}
