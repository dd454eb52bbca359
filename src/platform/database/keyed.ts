import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { raw } from './tables.ts'

/**
 * For transactions that touch known rows of tables which may be empty now and large in a minute. A statement is planned
 * once, and a plan that was made for an empty table reads all of it ever after, until its numbers are taken again. Here
 * rows are found by their keys, whatever the numbers say.
 */
export function byKey(ctx: Context): void {
  ctx.later(raw(sql`set local enable_seqscan = off`))
  ctx.later(raw(sql`set local enable_hashjoin = off`))
  ctx.later(raw(sql`set local enable_mergejoin = off`))
}
