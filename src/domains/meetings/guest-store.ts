import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'

/** Of any number who come with one new address at once, by a form or here, the first makes the lead and the others find it. */
export async function lockAddress(ctx: Context, email: string): Promise<void> {
  const words = `${ctx.team_id} lead email ${email}`
  await ctx.run(raw(sql`select pg_advisory_xact_lock(hashtextextended(${words}, 12))`))
}
