import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import { cleaned } from './message-events.ts'

/** Ids are other people's words: what is longer is told apart by its beginning. */
const ANSWER_ID_LENGTH_MAX = 255

/** Whether this reply is reported for the first time. */
export async function recordAnswer(ctx: Context, message_id: string, answer_id: string): Promise<boolean> {
  const id = cleaned(answer_id.slice(0, ANSWER_ID_LENGTH_MAX))
  const added = await ctx.run(
    raw(sql`insert into message_answers (team_id, message_id, answer_id, at)
      values (${ctx.team_id}, ${message_id}, ${id}, ${ctx.now()}) on conflict do nothing`),
  )
  return added > 0
}
