import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'

/** Where somebody is booked by who knows no team. */
export type Address = { slug: string; team_id: string; user_id: string }

export async function findBySlug(ctx: Context, slug: string): Promise<Address | undefined> {
  return ctx.acrossTeams().first(db.selectFrom('booking_addresses').selectAll().where('slug', '=', slug))
}

/** Those who look for the nearest free one come one after the other. */
export async function lockSlug(ctx: Context, slug: string): Promise<void> {
  await ctx.run(raw(sql`select pg_advisory_xact_lock(hashtextextended(${`slug ${slug}`}, 20))`))
}

/** Those that begin like this one, and are somebody else's. */
export async function listLike(ctx: Context, user_id: string, slug: string): Promise<Set<string>> {
  const rows = await ctx
    .acrossTeams()
    .all(
      db.selectFrom('booking_addresses').selectAll().where('slug', '>=', slug).where('slug', '<', `${slug}~`),
    )
  const others = rows.filter(row => row.team_id !== ctx.team_id || row.user_id !== user_id)
  return new Set(others.map(row => row.slug))
}

/** False where somebody else has the slug: of two who want it at once, the second waits and is told so. */
export async function take(ctx: Context, user_id: string, slug: string): Promise<boolean> {
  free(ctx, user_id)
  const taken = await ctx.run(
    db
      .insertInto('booking_addresses')
      .values({ slug, team_id: ctx.team_id, user_id })
      .onConflict(conflict => conflict.column('slug').doNothing()),
  )
  return taken > 0
}

export function free(ctx: Context, user_id: string): void {
  ctx.later(
    db.deleteFrom('booking_addresses').where('team_id', '=', ctx.team_id).where('user_id', '=', user_id),
  )
}

const db = tables<{ booking_addresses: Address }>()
