import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import type { Picture } from './picture.ts'

export type LogoRow = { hash: string; type: Picture['type']; bytes: Buffer }

/** The one it had before is gone. */
export function saveLogo(ctx: Context, widget_id: string, { hash, type, bytes }: LogoRow): void {
  ctx.later(
    raw(sql`insert into chat_logos (team_id, widget_id, hash, type, bytes, created_at)
      values (${ctx.team_id}, ${widget_id}, ${hash}, ${type}, ${bytes}, ${ctx.now()})
      on conflict (team_id, widget_id) do update set hash = excluded.hash, type = excluded.type, bytes = excluded.bytes,
        created_at = excluded.created_at`),
  )
}

export function deleteLogo(ctx: Context, widget_id: string): void {
  ctx.later(raw(sql`delete from chat_logos where team_id = ${ctx.team_id} and widget_id = ${widget_id}`))
}

export async function findLogo(ctx: Context, widget_id: string, hash: string): Promise<LogoRow | undefined> {
  return ctx.first(
    raw<LogoRow>(sql`select hash, type, bytes from chat_logos
      where team_id = ${ctx.team_id} and widget_id = ${widget_id} and hash = ${hash}`),
  )
}
