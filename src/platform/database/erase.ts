import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { raw } from './tables.ts'

/** Removes every row of a team from every table that has a `team_id`, events included. Answers how many went. */
export async function eraseTeam(ctx: Context, team_id: string): Promise<number> {
  return asOwner(ctx, async ctx => {
    const row = await ctx.first<{ erased: number }>(raw(sql`select erase_team(${team_id}) as erased`))
    return row!.erased
  })
}

/** The application role may not delete events; the login that owns the schema stands behind it. Until the commit only. */
async function asOwner<Result>(ctx: Context, work: (ctx: Context) => Promise<Result>): Promise<Result> {
  return ctx.transaction(async ctx => {
    await ctx.run(raw(sql`set local role none`))
    return work(ctx)
  })
}
