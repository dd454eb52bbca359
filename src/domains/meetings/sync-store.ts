import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'
import type { MeetingRow } from './store.ts'

type Sync = Pick<MeetingRow, 'sync_state' | 'sync_note' | 'calendar_href' | 'calendar_etag'>

/** Its sync state creates no new version: it does not conflict with a change of the meeting. */
export function noteSync(ctx: Context, id: string, fields: Partial<Sync>): void {
  ctx.later(db.updateTable('meetings').set(fields).where('team_id', '=', ctx.team_id).where('id', '=', id))
}

/** What is still to be written to the host's calendar. */
export async function listUnsynced(ctx: Context, host_id: string): Promise<string[]> {
  return idsOf(
    await ctx.all(
      raw<{ id: string }>(sql`select id from meetings where team_id = ${ctx.team_id} and host_id = ${host_id}
        and sync_state in ('PENDING', 'FAILED') order by starts_at`),
    ),
  )
}

/** What is to come, for a calendar that has none of it yet. */
export async function beginSync(ctx: Context, host_id: string): Promise<string[]> {
  return idsOf(
    await ctx.all(
      raw<{
        id: string
      }>(sql`update meetings set sync_state = 'PENDING', sync_note = null, calendar_href = null,
          calendar_etag = null
        where team_id = ${ctx.team_id} and host_id = ${host_id} and status = 'BOOKED' and ends_at > ${ctx.now()}
        returning id`),
    ),
  )
}

/** The calendar is disconnected: its events are no longer ours. */
export function endSync(ctx: Context, host_id: string): void {
  ctx.later(
    raw(sql`update meetings set sync_state = 'NONE', sync_note = null, calendar_href = null, calendar_etag = null
      where team_id = ${ctx.team_id} and host_id = ${host_id} and sync_state <> 'NONE'`),
  )
}

function idsOf(rows: { id: string }[]): string[] {
  return rows.map(({ id }) => id)
}

const db = tables<{ meetings: MeetingRow & { team_id: string } }>()
