import type { Context } from '#platform/context.ts'
import { tidyInstant } from '#platform/clock.ts'
import { record } from '#platform/events.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { invalid, Problem } from '#platform/problem.ts'
import { difference } from '#platform/records.ts'
import { unchangedSince } from '#platform/version.ts'
import { meetingBooked } from '#domains/enrolments/engagement.ts'
import { findMember, memberFaults } from '#domains/identity/members.ts'
import { findLead, touchLead } from '#domains/leads/service.ts'
import { availabilityOf } from './availability.ts'
import { refreshBusy, SYNC_JOB } from './calendar-sync.ts'
import { meetingEvents, type ListMeetings, type Meeting, type MeetingChange } from './contract.ts'
import { alternativesTo, spanOf, takenAround } from './free-times.ts'
import { hostFor } from './hosts.ts'
import { mailBooked, mailCancelled, mailChanged } from './invitations.ts'
import { manageUrl } from './links.ts'
import { faultsInTimes, newMeeting, timesOf, type Wanted } from './model.ts'
import { arrangeReminders } from './reminders.ts'
import { SlotTaken, type Unavailable } from './slot-taken.ts'
import { isBookable, isFree, isOffered, type Span } from './slots.ts'
import * as store from './store.ts'
import type { MeetingRow } from './store.ts'

export { changeAvailability, readAvailability, renewFeed } from './availability.ts'
export { findSlots } from './free-times.ts'
export { hostFor } from './hosts.ts'
export { bookingLinkFor } from './links.ts'
export { SlotTaken } from './slot-taken.ts'
export { quick as quickMeetings } from './store.ts'

/** Nobody makes plans for longer. */
const AHEAD_MAX_MS = 100 * 365 * 86_400_000
/** How old what is known of the host's calendar may be, and how long a booking waits to know more. */
const FRESH = { maxAgeMs: 30_000, timeoutMs: 3_000 }

/**
 * Books a time of the host's. Of any number who want it at once, one gets it; the others are told when the host is free
 * instead. A stranger gets only what the booking page offers, an agent only what lies within the host's hours.
 */
export async function bookMeeting(ctx: Context, wanted: Wanted): Promise<Meeting> {
  const lead = await findLead(ctx, wanted.lead_id)
  if (!lead) throw invalid([{ path: 'lead_id', message: 'is not a lead in this team' }])
  const faults = await memberFaults(ctx, wanted.host_id, 'host_id')
  if (faults.length > 0) throw invalid(faults)
  const host_id = wanted.host_id ?? (await hostFor(ctx, lead))
  await refreshBusy(ctx, host_id, FRESH)
  const rules = await availabilityOf(ctx, host_id)
  const times = timesOf(wanted, rules.duration_min)
  const row = await orAlternatives(ctx, { host_id, ...times }, async ctx => {
    const known = await findBooked(ctx, wanted.source_key)
    if (known) return known
    requirePossible(ctx, times.starts_at)
    await store.lockHost(ctx, host_id)
    await requireFree(ctx, { host_id, ...times }, admittedBy(wanted.origin))
    const host = await findMember(ctx, ctx.team_id, host_id)
    const sync_state = (await store.hasCalendar(ctx, host_id)) ? 'PENDING' : 'NONE'
    const meeting = newMeeting(ctx, wanted, { ...times, lead, host: host!, rules, sync_state })
    store.insert(ctx, meeting)
    record(ctx, meetingEvents.booked, aboutOf(meeting), toldOf(meeting))
    await touchLead(ctx, lead.id, ctx.now())
    await meetingBooked(ctx, lead.id)
    if (!wanted.quiet) {
      await mailBooked(ctx, meeting)
      arrangeReminders(ctx, meeting)
    }
    sync(ctx, meeting)
    return meeting
  })
  return shown(ctx, row)
}

type When = { starts_at: string; ends_at?: string | undefined; timezone?: string | undefined }

/**
 * Reschedules a meeting, keeping its duration by default. With a guest link (`offered`) only offered times
 * are accepted.
 */
export async function moveMeeting(
  ctx: Context,
  id: string,
  when: When,
  ifMatch?: string,
  { offered = false } = {},
): Promise<Meeting> {
  return change(ctx, id, when, { ifMatch, offered })
}

/** A person says what became of it; everything else of it stays as it is for who was invited, unless it is told. */
export async function changeMeeting(
  ctx: Context,
  id: string,
  wanted: MeetingChange,
  ifMatch?: string,
): Promise<Meeting> {
  return change(ctx, id, wanted, { ifMatch, offered: false })
}

/** Cancelling twice has no further effect. */
export async function cancelMeeting(
  ctx: Context,
  id: string,
  { reason }: { reason?: string | undefined } = {},
  ifMatch?: string,
): Promise<Meeting> {
  return ctx.transaction(async ctx => {
    const before = unchangedSince(present(await store.lock(ctx, id)), ifMatch)
    if (before.status === 'CANCELLED') return shown(ctx, before)
    if (before.status !== 'BOOKED') throw over(before)
    const fields = {
      status: 'CANCELLED' as const,
      cancel_reason: reason ?? null,
      sequence: before.sequence + 1,
    }
    const after = store.write(ctx, before, { ...fields, ...pending(before) })
    record(ctx, meetingEvents.cancelled, aboutOf(after), { ...toldOf(after), reason: after.cancel_reason })
    await mailCancelled(ctx, after)
    sync(ctx, after)
    return shown(ctx, after)
  })
}

export async function getMeeting(ctx: Context, id: string): Promise<Meeting> {
  return shown(ctx, present(await store.find(ctx, id)))
}

export async function findMeeting(ctx: Context, id: string): Promise<Meeting | undefined> {
  const row = await store.find(ctx, id)
  return row && shown(ctx, row)
}

export async function listMeetings(ctx: Context, query: ListMeetings) {
  const { data, next_cursor } = await store.list(ctx, query)
  return { data: data.map(row => shown(ctx, row)), next_cursor }
}

export function shown(ctx: Context, row: MeetingRow): Meeting {
  const { source_key: _, sequence: _s, moves: _m, calendar_href: _h, calendar_etag: _e, ...meeting } = row
  return { ...meeting, manage_url: manageUrl(ctx, row.id) }
}

type How = { ifMatch: string | undefined; offered: boolean }

async function change(ctx: Context, id: string, wanted: MeetingChange, { ifMatch, offered }: How) {
  const { status, ...fields } = wanted
  const known = present(await store.find(ctx, id))
  const times = changedTimes(known, wanted)
  if (times) await refreshBusy(ctx, known.host_id, FRESH)
  const row = await orAlternatives(ctx, { host_id: known.host_id, ...(times ?? known), id }, async ctx => {
    if (times) await store.lockHost(ctx, known.host_id)
    const before = unchangedSince(present(await store.lock(ctx, id)), ifMatch)
    const moved = changedTimes(before, wanted)
    const changes = difference<Partial<MeetingRow>>(before, {
      ...fields,
      ...moved,
      ...(status && { status }),
    })
    if (!changes) return before
    if (before.status === 'CANCELLED') throw over(before)
    if (status && status !== before.status && before.starts_at > ctx.now()) throw notBegun()
    if (moved) {
      if (before.status !== 'BOOKED') throw over(before)
      requirePossible(ctx, moved.starts_at)
      await requireFree(ctx, { host_id: before.host_id, ...moved, id }, offered ? 'offered' : 'free')
    }
    return rewrite(ctx, before, changes)
  })
  return shown(ctx, row)
}

type Changes = { before: Partial<MeetingRow>; after: Partial<MeetingRow> }

/** What others see of it is a new version of it in their calendars. */
async function rewrite(ctx: Context, before: MeetingRow, { before: were, after: are }: Changes) {
  const { starts_at: _, ends_at: _e, ...others } = are
  const isMoved = 'starts_at' in are || 'ends_at' in are
  const isSeen = Object.keys(are).some(key => SEEN_BY_OTHERS.has(key))
  const after = store.write(ctx, before, {
    ...are,
    ...(isSeen && { sequence: before.sequence + 1, ...pending(before) }),
    ...(isMoved && { moves: before.moves + 1 }),
  })
  if (isMoved) {
    const { starts_at, ends_at } = before
    record(ctx, meetingEvents.moved, aboutOf(after), { ...toldOf(after), before: { starts_at, ends_at } })
    arrangeReminders(ctx, after)
  }
  if (Object.keys(others).length > 0)
    record(ctx, meetingEvents.changed, aboutOf(after), { before: were, after: are, name: after.title })
  if (isMoved || 'location' in are) await mailChanged(ctx, after, { before, isMoved })
  if (isSeen) sync(ctx, after)
  return after
}

const SEEN_BY_OTHERS = new Set(['title', 'description', 'location', 'starts_at', 'ends_at'])

type Place = { host_id: string; starts_at: string; ends_at: string; id?: string }

/** Nothing is written before it is known that the time is free: what failed leaves nothing behind. */
async function orAlternatives(
  ctx: Context,
  { host_id, id, ...times }: Place,
  book: (ctx: Context) => Promise<MeetingRow>,
): Promise<MeetingRow> {
  try {
    return await ctx.transaction(book)
  } catch (error) {
    if (!(error instanceof Occupied)) throw error
    throw new SlotTaken(await alternativesTo(ctx, host_id, spanOf(times), id), error.unavailable)
  }
}

/** Found while others wait for the host: what is free instead is looked for when they no longer do. */
class Occupied extends Error {
  readonly unavailable: Unavailable

  constructor(unavailable: Unavailable) {
    super(unavailable)
    this.unavailable = unavailable
  }
}

/** `free`: a person of the team may meet at any time. `bookable`: within the hours. `offered`: a time of the booking page. */
type Admitted = 'free' | 'bookable' | 'offered'

function admittedBy(origin: Wanted['origin']): Admitted {
  return origin === 'booking_page' ? 'offered' : origin === 'agent' ? 'bookable' : 'free'
}

async function requireFree(
  ctx: Context,
  { host_id, id, ...times }: Place,
  admitted: Admitted,
): Promise<void> {
  const span: Span = spanOf(times)
  const rules = await availabilityOf(ctx, host_id)
  const taken = await takenAround(ctx, host_id, rules, span, id)
  const now = ctx.runtime.clock.now()
  if (!isFree(rules, taken, span)) throw new Occupied('taken')
  if (admitted === 'offered' && !isOffered(rules, taken, span, now)) throw new Occupied('taken')
  if (admitted === 'bookable' && !isBookable(rules, taken, span, now)) throw new Occupied('outside_hours')
}

async function findBooked(ctx: Context, source_key: string | undefined): Promise<MeetingRow | undefined> {
  if (source_key === undefined) return undefined
  await store.lockSource(ctx, source_key)
  return store.findBySource(ctx, source_key)
}

/** The times it would have, where they are others than it has. */
function changedTimes(meeting: MeetingRow, { starts_at, ends_at }: MeetingChange) {
  const { from, until } = spanOf(meeting)
  const begin = starts_at === undefined ? meeting.starts_at : tidyInstant(starts_at)
  const sameLength =
    starts_at === undefined ? meeting.ends_at : new Date(Date.parse(begin) + until - from).toISOString()
  const end = ends_at === undefined ? sameLength : tidyInstant(ends_at)
  if (begin === meeting.starts_at && end === meeting.ends_at) return undefined
  const times = { starts_at: begin, ends_at: end }
  const faults = faultsInTimes(times)
  if (faults.length > 0) throw invalid(faults)
  return times
}

function requirePossible(ctx: Context, starts_at: string): void {
  if (starts_at < ctx.now())
    throw new Problem('invalid', 'This time is in the past.', {
      code: 'in_the_past',
      errors: [{ path: 'starts_at', message: 'must not be in the past' }],
    })
  if (starts_at > ctx.in(AHEAD_MAX_MS)) throw invalid([{ path: 'starts_at', message: 'is too far ahead' }])
}

function present(row: MeetingRow | undefined): MeetingRow {
  if (!row) throw new Problem('not_found', 'No such meeting.')
  return row
}

function over({ status }: MeetingRow): Problem {
  const said = status === 'CANCELLED' ? 'This meeting is cancelled.' : 'This meeting is over.'
  return new Problem('conflict', said, {
    code: status === 'CANCELLED' ? 'meeting_cancelled' : 'meeting_over',
  })
}

function notBegun(): Problem {
  return new Problem('conflict', 'This meeting has not started yet.', { code: 'meeting_not_begun' })
}

function sync(ctx: Context, { id, sync_state }: MeetingRow): void {
  if (sync_state === 'PENDING') enqueue(ctx, { kind: SYNC_JOB, data: { meeting_id: id } })
}

/** What the host's calendar has is no longer as it is. */
function pending({ sync_state }: MeetingRow): Partial<MeetingRow> {
  return sync_state === 'NONE' ? {} : { sync_state: 'PENDING', sync_note: null }
}

function aboutOf({ id, lead_id }: MeetingRow) {
  return { kind: 'meeting', id, lead_id }
}

function toldOf({ title, host_id, starts_at, ends_at, timezone, origin }: MeetingRow) {
  return { title, host_id, starts_at, ends_at, timezone, origin }
}
