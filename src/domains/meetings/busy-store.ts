import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { batchesOf, inserter } from '#platform/database/insert.ts'
import { raw } from '#platform/database/tables.ts'
import type { BusyTime } from '#platform/ports/calendar.ts'

/** What the calendar has now is all there is. A row that stays as it is is not written again. */
export function replaceBusy(ctx: Context, user_id: string, times: readonly BusyTime[]): void {
  const column = (key: keyof BusyTime) => times.map(time => time[key])
  const read = sql`unnest(${column('uid')}::text[], ${column('starts_at')}::timestamptz[], ${column('ends_at')}::timestamptz[])
    as read (uid, starts_at, ends_at)`
  ctx.later(
    raw(sql`delete from busy_times as busy where team_id = ${ctx.team_id} and user_id = ${user_id}
      and not exists (select from ${read} where read.uid = busy.uid and read.starts_at = busy.starts_at)`),
  )
  const rows = times.map(({ uid, starts_at, ends_at }) => ({
    team_id: ctx.team_id,
    user_id,
    uid,
    starts_at,
    ends_at,
  }))
  for (const batch of batchesOf(rows)) ctx.later(upsertRows(batch))
}

const upsertRows = inserter<BusyTime & { team_id: string; user_id: string }>(
  'busy_times',
  ['team_id', 'user_id', 'uid', 'starts_at', 'ends_at'],
  `on conflict (team_id, user_id, starts_at, uid) do update set ends_at = excluded.ends_at
    where busy_times.ends_at <> excluded.ends_at`,
)

/** Of a calendar that is no longer read. */
export function forgetBusy(ctx: Context, user_id: string): void {
  ctx.later(raw(sql`delete from busy_times where team_id = ${ctx.team_id} and user_id = ${user_id}`))
}
