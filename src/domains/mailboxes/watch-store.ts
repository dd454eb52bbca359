import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw } from '#platform/database/tables.ts'

export type Watched = { team_id: string; mailbox_id: string }

export function insertWatch(ctx: Context, mailbox_id: string): void {
  ctx.later(
    raw(sql`insert into mailbox_watches (team_id, mailbox_id, lease_until)
      values (${ctx.team_id}, ${mailbox_id}, ${ctx.now()}) on conflict do nothing`),
  )
}

export function deleteWatch(ctx: Context, mailbox_id: string): void {
  ctx.later(
    raw(sql`delete from mailbox_watches where team_id = ${ctx.team_id} and mailbox_id = ${mailbox_id}`),
  )
}

/** Let go, for whoever comes first to connect with what is new. */
export function freeWatch(ctx: Context, mailbox_id: string): void {
  ctx.later(
    raw(sql`update mailbox_watches set owner = null, lease_until = ${ctx.now()}
      where team_id = ${ctx.team_id} and mailbox_id = ${mailbox_id}`),
  )
}

/** Of all teams: what nobody watches, or whose process has gone. */
export async function claimWatches(
  ctx: Context,
  owner: string,
  until: string,
  limit: number,
): Promise<Watched[]> {
  return ctx.all(
    raw<Watched>(sql`update mailbox_watches set owner = ${owner}, lease_until = ${until}
      where (team_id, mailbox_id) in (select team_id, mailbox_id from mailbox_watches
        where lease_until <= ${ctx.now()} order by lease_until limit ${limit} for update skip locked)
      returning team_id, mailbox_id`),
  )
}

/** Those that are still ours. */
export async function extendWatches(ctx: Context, owner: string, until: string): Promise<Watched[]> {
  return ctx.all(
    raw<Watched>(sql`update mailbox_watches set lease_until = ${until} where owner = ${owner}
      returning team_id, mailbox_id`),
  )
}

/** Not before then: its server would not have it. */
export async function putOffWatch(
  ctx: Context,
  owner: string,
  { team_id, mailbox_id }: Watched,
  until: string,
): Promise<void> {
  await ctx.run(
    raw(sql`update mailbox_watches set owner = null, lease_until = ${until}
      where team_id = ${team_id} and mailbox_id = ${mailbox_id} and owner = ${owner}`),
  )
}

export async function freeWatches(ctx: Context, owner: string): Promise<void> {
  await ctx.run(
    raw(sql`update mailbox_watches set owner = null, lease_until = ${ctx.now()} where owner = ${owner}`),
  )
}
