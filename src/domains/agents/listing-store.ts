import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { raw, tables, written } from '#platform/database/tables.ts'
import type { agentKinds } from './values.ts'

/** An agent that is or was for sale, as strangers see it. */
export type ListingRow = {
  agent_id: string
  team_id: string
  seller: string
  name: string
  kind: (typeof agentKinds)[number]
  description: string | null
  amount: string
  currency: string
  listed_at: string
  withdrawn_at: string | null
}

export async function findListing(ctx: Context, agent_id: string): Promise<ListingRow | undefined> {
  return ctx
    .acrossTeams()
    .first(written<ListingRow>('select * from agent_listings where agent_id = $1', [agent_id]))
}

type Page = { limit: number; after: readonly [string, string] | undefined; currency: string | undefined }

/** What is for sale, the newest first. */
export async function listOnSale(ctx: Context, { limit, after, currency }: Page): Promise<ListingRow[]> {
  let query = db.selectFrom('agent_listings').selectAll().where('withdrawn_at', 'is', null)
  if (currency) query = query.where('currency', '=', currency)
  if (after)
    query = query.where(sql<boolean>`(listed_at, agent_id) < (${after[0]}::timestamptz, ${after[1]})`)
  return ctx.acrossTeams().all(query.orderBy('listed_at', 'desc').orderBy('agent_id', 'desc').limit(limit))
}

/** One that was withdrawn comes back as a new one. */
export function saveListing(ctx: Context, row: Omit<ListingRow, 'team_id' | 'withdrawn_at'>): void {
  const { agent_id: _, listed_at, ...shown } = row
  ctx.later(
    db
      .insertInto('agent_listings')
      .values({ ...row, team_id: ctx.team_id, withdrawn_at: null })
      .onConflict(conflict =>
        conflict
          .column('agent_id')
          .doUpdateSet({
            ...shown,
            listed_at: sql<string>`case when agent_listings.withdrawn_at is null then agent_listings.listed_at
              else ${listed_at}::timestamptz end`,
            withdrawn_at: null,
          })
          .where('agent_listings.team_id', '=', ctx.team_id),
      ),
  )
}

export function withdrawListing(ctx: Context, agent_id: string, at: string): void {
  ctx.later(
    db
      .updateTable('agent_listings')
      .set({ withdrawn_at: at })
      .where('agent_id', '=', agent_id)
      .where('team_id', '=', ctx.team_id)
      .where('withdrawn_at', 'is', null),
  )
}

export async function renameSeller(ctx: Context, seller: string): Promise<string[]> {
  const rows = await ctx.all(
    db
      .updateTable('agent_listings')
      .set({ seller })
      .where('team_id', '=', ctx.team_id)
      .where('seller', '!=', seller)
      .returning('agent_id'),
  )
  return rows.map(({ agent_id }) => agent_id)
}

/** Of agents that are gone, unless somebody bought one: who proves that again is to find it. */
export async function deleteGone(ctx: Context): Promise<void> {
  const withdrawn = await ctx.all(
    raw<{ agent_id: string }>(sql`select agent_id from agent_listings
      where team_id = ${ctx.team_id} and withdrawn_at is not null
        and not exists (select from deployments where deployments.agent_id = agent_listings.agent_id)`),
  )
  const ids = withdrawn.map(({ agent_id }) => agent_id)
  if (ids.length === 0) return
  const there = await ctx.all(
    raw<{ id: string }>(
      sql`select id from agents where team_id = ${ctx.team_id} and id = any(${ids}::text[])`,
    ),
  )
  const kept = new Set(there.map(({ id }) => id))
  // Withdrawn for good: an agent that is gone is not listed again.
  await ctx.run(
    raw(sql`delete from agent_listings where team_id = ${ctx.team_id} and withdrawn_at is not null
      and agent_id = any(${ids.filter(id => !kept.has(id))}::text[])
      and not exists (select from deployments where deployments.agent_id = agent_listings.agent_id)`),
  )
}

const db = tables<{ agent_listings: ListingRow }>()
