import type { Context } from '#platform/context.ts'
import { listLeads } from '#domains/leads/listing.ts'
import { findOpportunity } from '#domains/opportunities/service.ts'
import type { ListConversations } from './contract.ts'
import { listConversations } from './list-store.ts'
import { LEADS_OF_ACCOUNT_MAX, LEADS_SEARCHED_MAX } from './values.ts'

/** A page of the list. Accounts, opportunities and names are those of leads, and a conversation is found by its lead. */
export async function findListed(ctx: Context, { account_id, opportunity_id, ...query }: ListConversations) {
  const q = query.q?.trim()
  const searched = q ? idsOf(await listLeads(ctx, { q, limit: LEADS_SEARCHED_MAX })) : []
  const ofAccounts = account_id && (await leadsOfAccounts(ctx, account_id))
  const ofDeals = opportunity_id && (await leadsOfDeals(ctx, opportunity_id))
  const related =
    ofAccounts && ofDeals ? ofAccounts.filter(id => ofDeals.includes(id)) : (ofAccounts ?? ofDeals)
  return listConversations(ctx, query, { searched, related })
}

/** The latest active ones. */
async function leadsOfAccounts(ctx: Context, account_id: string[]): Promise<string[]> {
  return idsOf(await listLeads(ctx, { account_id, sort: '-last_activity_at', limit: LEADS_OF_ACCOUNT_MAX }))
}

/** A deal is with its lead, and without one with its account. */
async function leadsOfDeals(ctx: Context, ids: readonly string[]): Promise<string[]> {
  const deals = (await Promise.all(ids.map(id => findOpportunity(ctx, id)))).filter(
    deal => deal !== undefined,
  )
  const leads = deals.flatMap(({ lead_id }) => lead_id ?? [])
  const accounts = deals.flatMap(({ lead_id, account_id }) => (lead_id === null && account_id) || [])
  return accounts.length === 0 ? leads : [...leads, ...(await leadsOfAccounts(ctx, accounts))]
}

function idsOf({ data }: { data: readonly { id: string }[] }): string[] {
  return data.map(({ id }) => id)
}
