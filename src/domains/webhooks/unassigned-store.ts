import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'
import { idFrom } from '#platform/ids.ts'
import type { SignedEndpoint } from '#platform/signature.ts'

export type Unassigned = {
  id: string
  endpoint: SignedEndpoint
  type: string
  event_id: string
  received_at: string
}

/** Oldest first: in that order they are worth working off. */
export async function list(ctx: Context, limit: number): Promise<Unassigned[]> {
  return ctx.all(
    raw<Unassigned>(sql`select id, endpoint, type, event_id, received_at from inbound_events where ${unassigned}
      order by id limit ${limit}`),
  )
}

export async function count(ctx: Context): Promise<number> {
  const row = await ctx.first(
    raw<{ count: number }>(sql`select count(*) as count from inbound_events where ${unassigned}`),
  )
  return row!.count
}

export async function find(ctx: Context, id: string): Promise<(Unassigned & { body: string }) | undefined> {
  return ctx.first(
    raw<Unassigned & { body: string }>(sql`select id, endpoint, type, event_id, received_at, body
      from inbound_events where id = ${id} and ${unassigned}`),
  )
}

/** Nobody's any more, or not yet anybody's: those that name no record of any team. */
export function leave(ctx: Context, ids: readonly string[]): void {
  ctx.later(
    raw(sql`update inbound_events set team_id = null,
        status = case when status = 'ignored' then status else 'unmatched' end
      where id = any(${ids}::text[])`),
  )
}

/** Those of them that were nobody's until now. */
export async function assign(ctx: Context, ids: readonly string[], team_id: string): Promise<Set<string>> {
  const rows = await ctx.all(
    raw<{ id: string }>(sql`update inbound_events set team_id = ${team_id}, status = 'accepted'
      where id = any(${ids}::text[]) and ${unassigned} returning id`),
  )
  return new Set(rows.map(({ id }) => id))
}

export async function deleteOlderThan(ctx: Context, before: string): Promise<number> {
  return ctx.run(
    raw(sql`delete from inbound_events where team_id is null and status in ('unmatched', 'ignored')
      and id < ${idFrom(before, 0)}`),
  )
}

/** Written out, so that the index of those is found. */
const unassigned = sql`team_id is null and status = 'unmatched'`
