import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { fence, type Job } from '#platform/jobs/queue.ts'
import { CalendarRefused, CalendarUnavailable } from '#platform/ports/calendar.ts'
import { job, type JobDefinition } from '#platform/registry.ts'
import { notify } from '#domains/notifications/service.ts'
import { READ_JOB, readDue, readLater } from './calendar-reading.ts'
import { loginOf, resumeSync, SYNC_JOB } from './calendar-state.ts'
import { find as findConnection, type ConnectionRow } from './connection-store.ts'
import { meetingEvents } from './contract.ts'
import { calendarIcs } from './ics.ts'
import { meetingPath } from './links.ts'
import * as store from './store.ts'
import type { MeetingRow } from './store.ts'
import { noteSync } from './sync-store.ts'

export { READ_JOB, refreshBusy } from './calendar-reading.ts'
export { SYNC_JOB } from './calendar-state.ts'

/** With the waits between them that is a good four days. */
const TRIES_MAX = 40

/**
 * Writes a meeting to its host's calendar as it is now, or takes it away. A calendar that is away is tried again; one that
 * refuses would do so again, and waits for a person. While it is asked, no transaction is open.
 */
async function syncMeeting(ctx: Context, job: Job): Promise<void> {
  const meeting = await store.find(ctx, idOf(job))
  if (!meeting || !['PENDING', 'FAILED'].includes(meeting.sync_state)) return
  const connection = await findConnection(ctx, meeting.host_id)
  if (!connection) return ctx.transaction(async ctx => noteSync(ctx, meeting.id, { sync_state: 'NONE' }))
  try {
    const place = await written(ctx, connection, meeting)
    await ctx.transaction(async ctx => {
      fence(ctx, job)
      await settle(ctx, connection, meeting, place)
    })
  } catch (error) {
    if (error instanceof CalendarUnavailable) await notePending(ctx, job, error.message)
    if (!(error instanceof CalendarRefused)) throw error
    await ctx.transaction(async ctx => {
      fence(ctx, job)
      await giveUp(ctx, meeting.id, error.message)
    })
  }
}

type Place = { href: string | null; etag: string | null }

async function written(ctx: Context, connection: ConnectionRow, meeting: MeetingRow): Promise<Place> {
  const { calendars } = ctx.runtime.ports
  const login = loginOf(ctx, connection)
  const { calendar_uid: uid, calendar_href: href, calendar_etag: etag } = meeting
  if (meeting.status === 'CANCELLED') {
    await calendars.remove(login, { uid, href })
    return { href: null, etag: null }
  }
  const ics = calendarIcs(meeting, ctx.runtime.settings.baseUrl + meetingPath(meeting.id))
  return calendars.put(login, { uid, ics, href, etag })
}

/**
 * If it was changed while it was being written, the copy in the calendar may be outdated, or newer than what
 * another job wrote: it is written once more. If another calendar was connected in the meantime, that
 * calendar's own job handles it.
 */
async function settle(ctx: Context, asked: ConnectionRow, meeting: MeetingRow, place: Place): Promise<void> {
  const row = await store.lock(ctx, meeting.id)
  const connection = await findConnection(ctx, meeting.host_id)
  if (!row || connection?.calendar_url !== asked.calendar_url) return
  const stands = { calendar_href: place.href, calendar_etag: place.etag, sync_note: null }
  if (row.sequence !== meeting.sequence) {
    noteSync(ctx, row.id, { ...stands, sync_state: 'PENDING' })
    return resumeSync(ctx, [row.id])
  }
  noteSync(ctx, row.id, { ...stands, sync_state: 'SYNCED' })
  tell(ctx, row, 'SYNCED')
}

/** Not for each of many tries: only where it says something new. */
async function notePending(ctx: Context, job: Job, sync_note: string): Promise<void> {
  await ctx.transaction(async ctx => {
    fence(ctx, job)
    const row = await store.lock(ctx, idOf(job))
    if (row && row.sync_note !== sync_note) noteSync(ctx, row.id, { sync_note })
  })
}

/** Every try was in vain. */
async function syncBuried(ctx: Context, job: Job): Promise<void> {
  const row = await store.find(ctx, idOf(job))
  if (row?.sync_state === 'PENDING')
    await giveUp(ctx, row.id, row.sync_note ?? 'The calendar has not responded for days.')
}

async function giveUp(ctx: Context, id: string, sync_note: string): Promise<void> {
  const row = await store.lock(ctx, id)
  if (!row || row.sync_state === 'SYNCED' || row.sync_state === 'NONE') return
  noteSync(ctx, id, { sync_state: 'FAILED', sync_note })
  if (row.sync_state === 'FAILED') return
  tell(ctx, row, 'FAILED')
  await notify(ctx, {
    user_ids: [row.host_id],
    title: 'A meeting is not in your calendar',
    text: `${row.title}: ${sync_note}`,
    link: meetingPath(id),
    source: { kind: 'meeting', id, name: row.title },
  })
}

function tell(ctx: Context, { id, lead_id, title }: MeetingRow, state: MeetingRow['sync_state']): void {
  record(ctx, meetingEvents.synced, { kind: 'meeting', id, lead_id }, { title, state })
}

function idOf({ data }: Job): string {
  return (data as { meeting_id: string }).meeting_id
}

export const calendarJobs: JobDefinition[] = [
  job(SYNC_JOB, { outgoing: true, triesMax: TRIES_MAX, buried: syncBuried }, syncMeeting),
  job(READ_JOB, { outgoing: true, buried: readLater }, readDue),
]
