import { sql } from 'kysely'
import type { Context } from './context.ts'
import { atOnce } from './database/at-once.ts'
import { raw } from './database/tables.ts'

/**
 * The events that trigger the team's own automations: jobs are written for these only. Changes are
 * serialized: `lockListeners` before the change that decides it, `setListeners` after.
 */
export function lockListeners(ctx: Context): void {
  const name = `automation listeners ${ctx.team_id}`
  ctx.later(raw(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`))
}

/** Which of these events somebody's automations listen to. */
export const findListened = atOnce<readonly string[], Set<string>>(async (ctx, wanted) => {
  const types = [...new Set(wanted.flat())]
  const rows = await ctx.all(
    raw<{ type: string }>(sql`select type from automation_listeners
      where team_id = ${ctx.team_id} and type = any(${types}::text[])`),
  )
  const heard = new Set(rows.map(({ type }) => type))
  return wanted.map(types => new Set(types.filter(type => heard.has(type))))
})

export function setListeners(ctx: Context, types: readonly string[]): void {
  ctx.later(
    raw(
      sql`delete from automation_listeners where team_id = ${ctx.team_id} and not type = any(${types}::text[])`,
    ),
  )
  ctx.later(
    raw(sql`insert into automation_listeners (team_id, type)
      select ${ctx.team_id}, type from unnest(${types}::text[]) as heard (type) on conflict do nothing`),
  )
}
