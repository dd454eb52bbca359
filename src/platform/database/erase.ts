import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { raw } from './tables.ts'

/**
 * Removes every row of the demo team from every table, events included. Answers how many went. The application may not
 * delete events; a function of the schema's owner does it, for the demo team and no other.
 */
export async function eraseDemoTeam(ctx: Context): Promise<number> {
  const row = await ctx.first<{ erased: number }>(raw(sql`select erase_demo_team() as erased`))
  return row!.erased
}
