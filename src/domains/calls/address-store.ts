import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'

/** Whoever named it first keeps the name. */
export function addAddress(ctx: Context, provider_call_id: string, call_id: string): void {
  ctx.later(
    raw(sql`insert into call_addresses (provider_call_id, team_id, call_id)
      values (${provider_call_id}, ${ctx.team_id}, ${call_id}) on conflict do nothing`),
  )
}

/** Looked for in every team: whoever asks does not know whose it is. */
export async function findTeamOfCall(ctx: Context, id: string): Promise<string | undefined> {
  const row = await ctx.first(
    raw<{ team_id: string | null }>(sql`select coalesce(
      (select team_id from call_addresses where provider_call_id = ${id}), team_of_call(${id})) as team_id`),
  )
  return row?.team_id ?? undefined
}

export async function findTeamOfAgent(ctx: Context, id: string): Promise<string | undefined> {
  const row = await ctx.first(raw<{ team_id: string | null }>(sql`select team_of_agent(${id}) as team_id`))
  return row?.team_id ?? undefined
}
