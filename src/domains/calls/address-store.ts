import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { atOnce } from '#platform/database/at-once.ts'
import { raw } from '#platform/database/tables.ts'

/** The first to use the name keeps it. */
export const addAddress = atOnce<{ name: string; call_id: string }, void>(async (ctx, named) => {
  ctx.later(
    raw(sql`insert into call_addresses (provider_call_id, team_id, call_id)
      select name, ${ctx.team_id}, call_id from unnest(${named.map(({ name }) => name)}::text[],
        ${named.map(({ call_id }) => call_id)}::text[]) as named (name, call_id)
      order by name on conflict do nothing`),
  )
  return []
})

/** Searched in every team: the caller does not know whose it is. */
export async function findTeamOfCall(ctx: Context, id: string): Promise<string | undefined> {
  const row = await ctx.acrossTeams().first(
    raw<{ team_id: string | null }>(sql`select coalesce(
      (select team_id from call_addresses where provider_call_id = ${id}), team_of_call(${id})) as team_id`),
  )
  return row?.team_id ?? undefined
}

export async function findTeamOfAgent(ctx: Context, id: string): Promise<string | undefined> {
  const row = await ctx.first(raw<{ team_id: string | null }>(sql`select team_of_agent(${id}) as team_id`))
  return row?.team_id ?? undefined
}
