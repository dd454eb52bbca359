import type { Context, Runtime } from '#platform/context.ts'
import { passingMemory } from '#platform/passing-memory.ts'
import { getTeamName } from '#domains/identity/teams.ts'
import type { Agent } from './contract.ts'
import { isOnSale } from './model.ts'
import * as store from './listing-store.ts'
import type { ListingRow } from './listing-store.ts'

/** Another process sees a change within this time; this one at once. */
const LISTING_LIFE_MS = 2_000
const LISTINGS_REMEMBERED_MAX = 10_000

const remembered = passingMemory<ListingRow | undefined>(LISTING_LIFE_MS, LISTINGS_REMEMBERED_MAX)

/** Also of one that was withdrawn. Asked for by every stranger who wants a price: mostly it needs no database. */
export function findListing(
  ctx: Context,
  agent_id: string,
): ListingRow | undefined | Promise<ListingRow | undefined> {
  return remembered.get(ctx, agent_id, () => store.findListing(ctx, agent_id))
}

/** The same where it is in memory. */
export function rememberedListing(runtime: Runtime, agent_id: string): ListingRow | undefined {
  return remembered.peek(runtime, agent_id)
}

/** What strangers see of an agent follows it, in the same transaction. */
export async function keepListing(ctx: Context, agent: Agent): Promise<void> {
  if (isOnSale(agent)) {
    const { id, name, kind, description, price } = agent
    const seller = await getTeamName(ctx, ctx.team_id)
    store.saveListing(ctx, { agent_id: id, seller, name, kind, description, ...price, listed_at: ctx.now() })
  } else store.withdrawListing(ctx, agent.id, ctx.now())
  ctx.afterCommit(() => remembered.forget(ctx, agent.id))
}

/** The name of the team, as it is by now. */
export async function renameSeller(ctx: Context): Promise<void> {
  const renamed = await store.renameSeller(ctx, await getTeamName(ctx, ctx.team_id))
  ctx.afterCommit(() => {
    for (const id of renamed) remembered.forget(ctx, id)
  })
}

export const pruneListings = store.deleteGone
