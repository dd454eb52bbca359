import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'

/** The days from this one on, of so many, on which the mailbox sends as much as it may. */
export async function findFullDays(
  ctx: Context,
  mailbox_id: string,
  { from, until, limit }: { from: string; until: string; limit: number },
): Promise<Set<string>> {
  const rows = await ctx.all(
    raw<{ day: string }>(sql`select to_char(day, 'YYYY-MM-DD') as day from mailbox_days
      where team_id = ${ctx.team_id} and mailbox_id = ${mailbox_id} and day >= ${from}::date and day <= ${until}::date
        and emails >= ${limit}`),
  )
  return new Set(rows.map(({ day }) => day))
}

export function addEmail(ctx: Context, mailbox_id: string, day: string): void {
  ctx.later(
    raw(sql`insert into mailbox_days (team_id, mailbox_id, day, emails) values (${ctx.team_id}, ${mailbox_id}, ${day}::date, 1)
      on conflict (team_id, mailbox_id, day) do update set emails = mailbox_days.emails + 1`),
  )
}

/** It is not sent after all. */
export function removeEmail(ctx: Context, mailbox_id: string, day: string): void {
  ctx.later(
    raw(sql`update mailbox_days set emails = greatest(emails - 1, 0)
      where team_id = ${ctx.team_id} and mailbox_id = ${mailbox_id} and day = ${day}::date`),
  )
}

export function addBounce(ctx: Context, mailbox_id: string, day: string): void {
  ctx.later(
    raw(sql`update mailbox_days set bounced = bounced + 1
      where team_id = ${ctx.team_id} and mailbox_id = ${mailbox_id} and day = ${day}::date`),
  )
}

export type SentFigures = { today: number; emails: number; bounced: number }

/** Today, and of the days from `from` until today. */
export async function countSent(
  ctx: Context,
  mailbox_id: string,
  { from, today }: { from: string; today: string },
): Promise<SentFigures> {
  const row = await ctx.first(
    raw<SentFigures>(sql`select coalesce(sum(emails) filter (where day = ${today}::date), 0)::integer as today,
        coalesce(sum(emails), 0)::integer as emails, coalesce(sum(bounced), 0)::integer as bounced from mailbox_days
      where team_id = ${ctx.team_id} and mailbox_id = ${mailbox_id} and day >= ${from}::date and day <= ${today}::date`),
  )
  return row!
}
