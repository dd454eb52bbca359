import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables } from '#platform/database/tables.ts'

/** Where a form is found by who knows no team: its id and its slug, and nothing else of it. */
export type Address = { form_id: string; team_id: string; slug: string }

export async function findBySlug(ctx: Context, slug: string): Promise<Address | undefined> {
  return ctx.acrossTeams().first(db.selectFrom('form_addresses').selectAll().where('slug', '=', slug))
}

export async function findById(ctx: Context, form_id: string): Promise<Address | undefined> {
  return ctx.acrossTeams().first(db.selectFrom('form_addresses').selectAll().where('form_id', '=', form_id))
}

/** Those who look for the nearest free one come one after the other. */
export async function lockSlug(ctx: Context, slug: string): Promise<void> {
  await ctx.run(raw(sql`select pg_advisory_xact_lock(hashtextextended(${slug}, 13))`))
}

/** Those that begin like this one. */
export async function listLike(ctx: Context, slug: string): Promise<Set<string>> {
  const rows = await ctx
    .acrossTeams()
    .all(
      db.selectFrom('form_addresses').select('slug').where('slug', '>=', slug).where('slug', '<', `${slug}~`),
    )
  return new Set(rows.map(row => row.slug))
}

/** False where somebody else has the slug: of two who want it at once, the second waits and is told so. */
export async function take(ctx: Context, form_id: string, slug: string): Promise<boolean> {
  free(ctx, form_id)
  const row = { form_id, team_id: ctx.team_id, slug }
  const taken = await ctx.run(
    db
      .insertInto('form_addresses')
      .values(row)
      .onConflict(conflict => conflict.column('slug').doNothing()),
  )
  return taken > 0
}

export function free(ctx: Context, form_id: string): void {
  ctx.later(db.deleteFrom('form_addresses').where('form_id', '=', form_id).where('team_id', '=', ctx.team_id))
}

const db = tables<{ form_addresses: Address }>()
