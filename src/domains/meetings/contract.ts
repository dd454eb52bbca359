import {
  anyOf,
  ById,
  Day,
  defineEndpoints,
  Email,
  Id,
  Instant,
  listOf,
  LongText,
  nullable,
  oneOf,
  paging,
  sortBy,
  t,
  Text,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import {
  BUFFER_MAX,
  DURATION_MAX,
  DURATION_MIN,
  EXCEPTIONS_MAX,
  HORIZON_DAYS_MAX,
  HOURS_MAX,
  meetingOrigins,
  meetingSorts,
  meetingStatuses,
  NOTICE_MAX,
  PER_DAY_MAX,
  syncStates,
} from './values.ts'

const Zone = t.String({ maxLength: 64, format: 'time-zone', description: 'An IANA time zone' })
const Minutes = t.Integer({ minimum: DURATION_MIN, maximum: DURATION_MAX })
/** 24:00 is the end of a day. */
const TimeOfDay = t.String({
  pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$|^24:00$',
  description: 'A time of day, like 09:30',
})
const Slug = t.String({ pattern: '^[a-z0-9](?:[a-z0-9-]{1,58}[a-z0-9])$' })

export const Meeting = t.Object(
  {
    id: Id,
    lead_id: nullable(Id),
    host_id: Id,
    title: t.String(),
    description: nullable(t.String()),
    starts_at: Instant,
    ends_at: Instant,
    timezone: t.String({ description: "The guest's time zone" }),
    location: nullable(t.String()),
    guest_name: nullable(t.String()),
    guest_email: nullable(t.String()),
    status: oneOf(meetingStatuses),
    cancel_reason: nullable(t.String()),
    origin: oneOf(meetingOrigins),
    call_id: nullable(Id),
    calendar_uid: t.String(),
    sync_state: oneOf(syncStates, "Whether the host's own calendar is up to date with it"),
    sync_note: nullable(t.String()),
    manage_url: t.String({ description: 'Page where the guest can reschedule or cancel' }),
    created_at: Instant,
    updated_at: Instant,
  },
  { $id: 'Meeting' },
)
export type Meeting = Static<typeof Meeting>

const when = {
  starts_at: Instant,
  ends_at: t.Optional(Instant),
  duration_min: t.Optional(Minutes),
  timezone: t.Optional(Zone),
}
const about = {
  title: t.Optional(Text),
  description: t.Optional(nullable(LongText)),
  location: t.Optional(nullable(Text)),
  host_id: t.Optional(Id),
}

/**
 * For the meeting route: the lead is in the path. Without `ends_at` and `duration_min` the host's default
 * duration applies.
 */
export const MeetingForLead = t.Object({ ...when, ...about }, { additionalProperties: false })
export type MeetingForLead = Static<typeof MeetingForLead>
export const NewMeeting = t.Object({ lead_id: Id, ...when, ...about }, { additionalProperties: false })
export type NewMeeting = Static<typeof NewMeeting>
export const MeetingChange = t.Partial(
  t.Object({
    title: Text,
    description: nullable(LongText),
    location: nullable(Text),
    starts_at: Instant,
    ends_at: Instant,
    timezone: Zone,
    status: oneOf(['HELD', 'NO_SHOW', 'BOOKED'], 'Outcome, once it has started'),
  }),
  { additionalProperties: false, minProperties: 1 },
)
export type MeetingChange = Static<typeof MeetingChange>

export const ListMeetings = t.Object(
  {
    ...paging,
    sort: sortBy(meetingSorts),
    q: t.Optional(t.String({ maxLength: 200, description: 'Search titles and guests' })),
    from: t.Optional(Instant),
    until: t.Optional(Instant),
    status: anyOf(oneOf(meetingStatuses)),
    host_id: anyOf(Id),
    lead_id: t.Optional(Id),
  },
  { additionalProperties: false },
)
export type ListMeetings = Static<typeof ListMeetings>

const Hours = t.Object({ from: TimeOfDay, until: TimeOfDay }, { additionalProperties: false })
const availability = {
  slug: Slug,
  active: t.Boolean({ description: 'Whether the booking page is public' }),
  timezone: Zone,
  hours: t.Array(
    t.Object(
      { day: t.Integer({ minimum: 1, maximum: 7, description: '1 is Monday' }), ...Hours.properties },
      { additionalProperties: false },
    ),
    { maxItems: HOURS_MAX },
  ),
  exceptions: t.Array(
    t.Object({ day: Day, hours: t.Array(Hours, { maxItems: 4 }) }, { additionalProperties: false }),
    { maxItems: EXCEPTIONS_MAX, description: 'Date overrides; no hours means unavailable' },
  ),
  duration_min: Minutes,
  buffer_before_min: t.Integer({ minimum: 0, maximum: BUFFER_MAX }),
  buffer_after_min: t.Integer({ minimum: 0, maximum: BUFFER_MAX }),
  notice_min: t.Integer({
    minimum: 0,
    maximum: NOTICE_MAX,
    description: 'Minimum notice before a booking',
  }),
  horizon_days: t.Integer({ minimum: 1, maximum: HORIZON_DAYS_MAX }),
  per_day_max: nullable(t.Integer({ minimum: 1, maximum: PER_DAY_MAX })),
  title: Text,
  location: nullable(Text),
  welcome: nullable(LongText),
}
export const Availability = t.Object(
  {
    ...availability,
    booking_url: t.String(),
    feed_url: t.String({ description: 'Secret iCalendar URL of the meetings' }),
    updated_at: Instant,
  },
  { $id: 'Availability' },
)
export type Availability = Static<typeof Availability>
export const AvailabilityChange = t.Partial(t.Object(availability), {
  additionalProperties: false,
  minProperties: 1,
})
export type AvailabilityChange = Static<typeof AvailabilityChange>

/** Free times, and what blocks the rest. Without a host: not a member of the team. */
export const Slots = t.Object(
  {
    host_id: nullable(Id),
    timezone: t.String({ description: "The host's time zone" }),
    duration_min: t.Integer(),
    slots: t.Array(t.Object({ starts_at: Instant, ends_at: Instant })),
  },
  { $id: 'MeetingSlots' },
)
export type Slots = Static<typeof Slots>

export const Busy = t.Object({
  host_id: nullable(Id),
  busy: t.Array(t.Object({ starts_at: Instant, ends_at: Instant })),
})

/** A member's calendar elsewhere, without its password. */
export const Calendar = t.Object(
  {
    kind: oneOf(['built_in', 'caldav']),
    server_url: nullable(t.String()),
    username: nullable(t.String()),
    calendar_url: nullable(t.String()),
    calendar_name: nullable(t.String()),
    state: oneOf(['OK', 'FAILING']),
    note: nullable(t.String()),
    read_at: nullable(Instant),
  },
  { $id: 'Calendar' },
)
export type Calendar = Static<typeof Calendar>
export const CalendarLogin = t.Object(
  {
    server_url: t.String({ maxLength: 2_000, pattern: '^https?://[^\\s\\u0000]+$' }),
    username: Text,
    password: Text,
    calendar_url: t.Optional(
      t.String({
        maxLength: 2_000,
        description: 'Calendar to use; by default the first that accepts events',
      }),
    ),
  },
  { additionalProperties: false },
)
export type CalendarLogin = Static<typeof CalendarLogin>

/** Whose busy times, and for which period: by default one's own, for the next two weeks. */
const asked = { host_id: t.Optional(Id), from: t.Optional(Instant), until: t.Optional(Instant) }

const read = { scope: 'meetings:read' } as const
const write = { scope: 'meetings:write' } as const
const one = { params: ById, output: Meeting, etag: true } as const

export const endpoints = defineEndpoints({
  listMeetings: {
    method: 'GET',
    path: '/api/crm/meetings',
    summary: 'List meetings',
    auth: read,
    query: ListMeetings,
    output: listOf(Meeting),
  },
  createMeeting: {
    method: 'POST',
    path: '/api/crm/meetings',
    summary: 'Book a meeting with a lead; returns 409 if the time is taken',
    auth: write,
    body: NewMeeting,
    output: Meeting,
    status: 201,
    etag: true,
  },
  readMeeting: {
    method: 'GET',
    path: '/api/crm/meetings/:id',
    summary: 'Read a meeting',
    auth: read,
    ...one,
  },
  changeMeeting: {
    method: 'PATCH',
    path: '/api/crm/meetings/:id',
    summary: 'Reschedule or update a meeting; the guest is notified of a new time',
    auth: write,
    body: MeetingChange,
    ...one,
  },
  cancelMeeting: {
    method: 'POST',
    path: '/api/crm/meetings/:id/cancel',
    summary: 'Cancel a meeting; the guest is notified',
    auth: write,
    status: 200,
    body: t.Object({ reason: t.Optional(LongText) }, { additionalProperties: false }),
    ...one,
  },
  bookForLead: {
    method: 'POST',
    path: '/api/outreach/:lead_id/meeting',
    summary: 'Book a meeting with this lead; its outreach becomes MEETING_BOOKED',
    auth: { scope: 'outreach:write' },
    params: t.Object({ lead_id: Id }),
    body: MeetingForLead,
    output: Meeting,
    status: 201,
    location: '/api/crm/meetings/{id}',
    etag: true,
  },
  listSlots: {
    method: 'GET',
    path: '/api/meetings/slots',
    summary: "List a member's free times",
    auth: read,
    query: t.Object(
      {
        ...asked,
        duration_min: t.Optional(Minutes),
        /** A meeting to be rescheduled: it does not block itself. */
        without: t.Optional(Id),
      },
      { additionalProperties: false },
    ),
    output: Slots,
  },
  listBusy: {
    method: 'GET',
    path: '/api/meetings/busy',
    summary: "List busy times from a member's external calendar, without details",
    auth: read,
    query: t.Object(asked, { additionalProperties: false }),
    output: Busy,
  },
  readAvailability: {
    method: 'GET',
    path: '/api/meetings/availability',
    summary: 'Read your availability and booking page',
    auth: { role: 'VIEWER' },
    output: Availability,
    etag: true,
  },
  changeAvailability: {
    method: 'PATCH',
    path: '/api/meetings/availability',
    summary: 'Update your availability and booking page',
    auth: { role: 'MEMBER' },
    body: AvailabilityChange,
    output: Availability,
    etag: true,
  },
  renewFeed: {
    method: 'POST',
    path: '/api/meetings/availability/feed',
    summary: 'Reset the calendar feed URL; the old one stops working',
    auth: { role: 'MEMBER' },
    output: Availability,
    status: 200,
  },
  readCalendar: {
    method: 'GET',
    path: '/api/meetings/calendar',
    summary: 'Read your calendar connection',
    auth: { role: 'VIEWER' },
    output: Calendar,
  },
  connectCalendar: {
    method: 'PUT',
    path: '/api/meetings/calendar',
    summary: 'Connect a CalDAV calendar; the connection is tested first',
    auth: { role: 'MEMBER' },
    body: CalendarLogin,
    output: Calendar,
  },
  disconnectCalendar: {
    method: 'DELETE',
    path: '/api/meetings/calendar',
    summary: 'Disconnect your calendar; events already in it stay',
    auth: { role: 'MEMBER' },
  },
})

const told = t.Object({
  title: t.String(),
  host_id: Id,
  starts_at: Instant,
  ends_at: Instant,
  timezone: t.String(),
  origin: oneOf(meetingOrigins),
})
const live = { live: 'meetings:read' } as const
export const meetingEvents = {
  booked: defineEvent('meeting.booked', told, live),
  moved: defineEvent(
    'meeting.moved',
    t.Object({ ...told.properties, before: t.Object({ starts_at: Instant, ends_at: Instant }) }),
    live,
  ),
  changed: defineEvent(
    'meeting.changed',
    t.Object({
      before: t.Record(t.String(), t.Unknown()),
      after: t.Record(t.String(), t.Unknown()),
      name: t.String(),
    }),
    live,
  ),
  cancelled: defineEvent(
    'meeting.cancelled',
    t.Object({ ...told.properties, reason: nullable(t.String()) }),
    live,
  ),
  synced: defineEvent('meeting.synced', t.Object({ title: t.String(), state: oneOf(syncStates) }), live),
}
export const availabilityChanged = defineEvent(
  'availability.changed',
  t.Object({ before: t.Record(t.String(), t.Unknown()), after: t.Record(t.String(), t.Unknown()) }),
  live,
)
export const calendarEvents = {
  connected: defineEvent('calendar.connected', t.Object({ name: nullable(t.String()) }), live),
  disconnected: defineEvent('calendar.disconnected', t.Object({}), live),
  failing: defineEvent('calendar.failing', t.Object({ note: t.String() }), live),
}

/** What a guest says of itself on the booking page. */
export const Guest = t.Object({ name: Text, email: Email }, { additionalProperties: false })
export type Guest = Static<typeof Guest>
