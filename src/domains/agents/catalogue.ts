import { page, type Answer } from '#platform/answer.ts'
import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT, type Parameters } from '#platform/contract.ts'
import { decodeInstantCursor, encodeCursor } from '#platform/cursor.ts'
import type { Listing } from './contract.ts'
import { listOnSale, type ListingRow } from './listing-store.ts'
import { cataloguePage } from './pages.ts'

type Page = { limit?: number; cursor?: string }

/** What is for sale, the newest first: only what can be paid with what the chain settles in. */
export async function listListings(ctx: Context, { limit = LIST_LIMIT_DEFAULT, cursor }: Page) {
  const after = cursor ? decodeInstantCursor(cursor) : undefined
  const currency = ctx.runtime.ports.chain?.terms.currency
  const rows = await listOnSale(ctx, { limit: limit + 1, after, currency })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    data: shown.map(row => listingOf(ctx, row)),
    next_cursor: rows.length > limit && last ? encodeCursor([last.listed_at, last.agent_id]) : null,
  }
}

export async function showCatalogue(ctx: Context, { query }: { query: Parameters }): Promise<Answer> {
  const { cursor } = query
  const listings = await listListings(ctx, typeof cursor === 'string' ? { cursor } : {})
  return page(cataloguePage({ ...listings, baseUrl: ctx.runtime.settings.baseUrl }))
}

function listingOf({ runtime }: Context, row: ListingRow): Listing {
  const { agent_id: id, name, kind, description, seller, amount, currency } = row
  const purchase = `${runtime.settings.baseUrl}/api/v1/agent/purchase/${id}`
  return { id, name, kind, description, seller, price: { amount, currency }, purchase }
}
