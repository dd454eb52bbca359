import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'

type NoticeRow = {
  team_id: string
  form_id: string
  recipient: string
  gathering: boolean
  waiting: number
  first_ids: string[]
}

/**
 * True for who is the first, and is told at once; what comes from then on is gathered. Either way the row is locked until
 * the transaction ends, so that nothing is added to what is being sent.
 */
export async function beginGathering(ctx: Context, form_id: string, recipient: string): Promise<boolean> {
  const begun = await ctx.run(
    raw(sql`insert into form_notices (team_id, form_id, recipient, gathering, waiting, first_ids)
      values (${ctx.team_id}, ${form_id}, ${recipient}, true, 0, '[]')
      on conflict (team_id, form_id, recipient) do update set gathering = true where not form_notices.gathering`),
  )
  return begun > 0
}

export function addWaiting(
  ctx: Context,
  form_id: string,
  recipient: string,
  id: string,
  keptMax: number,
): void {
  ctx.later(
    raw(sql`update form_notices set waiting = waiting + 1,
        first_ids = case when waiting < ${keptMax} then first_ids || ${JSON.stringify([id])}::jsonb else first_ids end
      where team_id = ${ctx.team_id} and form_id = ${form_id} and recipient = ${recipient}`),
  )
}

export async function lockNotice(
  ctx: Context,
  form_id: string,
  recipient: string,
): Promise<NoticeRow | undefined> {
  return ctx.first(
    db
      .selectFrom('form_notices')
      .selectAll()
      .where('team_id', '=', ctx.team_id)
      .where('form_id', '=', form_id)
      .where('recipient', '=', recipient)
      .forUpdate(),
  )
}

/** Nothing waits any more; whether more is gathered. */
export function emptyNotice(ctx: Context, form_id: string, recipient: string, gathering: boolean): void {
  ctx.later(
    db
      .updateTable('form_notices')
      .set({ gathering, waiting: 0, first_ids: '[]' as never })
      .where('team_id', '=', ctx.team_id)
      .where('form_id', '=', form_id)
      .where('recipient', '=', recipient),
  )
}

const db = tables<{ form_notices: NoticeRow }>()
