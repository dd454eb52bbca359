import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { enqueueAll } from '#platform/jobs/queue.ts'
import { CalendarRefused, type CalendarLogin } from '#platform/ports/calendar.ts'
import { seal, unseal } from '#platform/seal.ts'
import { notify } from '#domains/notifications/service.ts'
import { calendarEvents } from './contract.ts'
import * as store from './connection-store.ts'
import type { ConnectionRow } from './connection-store.ts'
import { listUnsynced } from './sync-store.ts'

export const SYNC_JOB = 'meetings.sync'
/** A server that is away for less bothers nobody. */
export const TELL_AFTER_MS = 30 * 60_000

const PURPOSE = 'calendar password'

export function sealPassword(ctx: Context, password: string): string {
  return seal(ctx.runtime.settings, PURPOSE, password)
}

export function loginOf(ctx: Context, connection: ConnectionRow): Required<CalendarLogin> {
  const { server_url, username, calendar_url } = connection
  const password = unseal(ctx.runtime.settings, PURPOSE, connection.password)
  if (password === undefined)
    throw new CalendarRefused('The password can no longer be read: connect the calendar again.')
  return { server_url, username, password, calendar_url }
}

/** In the transaction of what was read. What waited while it did not work is written now. */
export async function noteWell(ctx: Context, { user_id, state }: ConnectionRow): Promise<void> {
  const now = ctx.now()
  store.update(ctx, user_id, { ...WELL, read_at: now, tried_at: now })
  if (state === 'FAILING') resumeSync(ctx, await listUnsynced(ctx, user_id))
}

export const WELL = { state: 'OK', note: null, failing_since: null, told: false } as const

/**
 * The owner is notified once: immediately about what only a person can fix, and after a while about an
 * unreachable server.
 */
export async function noteFailing(ctx: Context, connection: ConnectionRow, error: Error): Promise<void> {
  const { user_id, state, told, calendar_name } = connection
  const now = ctx.now()
  const failing_since = connection.failing_since ?? now
  const isLong = Date.parse(now) - Date.parse(failing_since) >= TELL_AFTER_MS
  const tells = !told && (error instanceof CalendarRefused || isLong)
  const note = error.message
  store.update(ctx, user_id, {
    state: 'FAILING',
    note,
    tried_at: now,
    failing_since,
    ...(tells && { told: true }),
  })
  if (state === 'OK') record(ctx, calendarEvents.failing, aboutOf(user_id), { note })
  if (!tells) return
  await notify(ctx, {
    user_ids: [user_id],
    title: 'Your calendar cannot be synced',
    text: `${note} Until this is fixed, meetings are kept in Rapport and added to your calendar later.`,
    link: CALENDAR_PATH,
    source: { kind: 'calendar', id: user_id, name: calendar_name },
  })
}

/** Inside the app. */
export const CALENDAR_PATH = '/settings/meetings'

export function resumeSync(ctx: Context, meeting_ids: readonly string[]): void {
  enqueueAll(
    ctx,
    meeting_ids.map(meeting_id => ({ kind: SYNC_JOB, data: { meeting_id } })),
  )
}

export function aboutOf(user_id: string) {
  return { kind: 'calendar', id: user_id }
}
