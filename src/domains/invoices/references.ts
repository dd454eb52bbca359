import type { Context } from '#platform/context.ts'
import { TEXT_LENGTH_MAX } from '#platform/contract.ts'
import type { Fault } from '#platform/problem.ts'
import type { Account } from '#domains/accounts/contract.ts'
import { findAccounts } from '#domains/accounts/service.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { nameOf } from '#domains/leads/model.ts'
import { findLead } from '#domains/leads/service.ts'
import { findOpportunity } from '#domains/opportunities/service.ts'
import type { Party } from './contract.ts'

type Ids = { lead_id?: string | null; account_id?: string | null; opportunity_id?: string | null }
type Found = { lead: Lead | undefined; account: Account | undefined }

/** An invoice points only at what its own team has; of what is not said, the deal and the lead tell. */
export async function referenced(ctx: Context, { lead_id, account_id, opportunity_id }: Ids) {
  const opportunity = opportunity_id ? await findOpportunity(ctx, opportunity_id) : undefined
  const lead = await leadOf(ctx, lead_id === undefined ? opportunity?.lead_id : lead_id)
  const known = account_id === undefined ? (opportunity?.account_id ?? lead?.account_id) : account_id
  const account = await accountOf(ctx, known)
  const faults: Fault[] = [
    ...(lead_id && !lead ? [{ path: 'lead_id', message: 'is not a lead in this team' }] : []),
    ...(account_id && !account ? [{ path: 'account_id', message: 'is not an account in this team' }] : []),
    ...(opportunity_id && !opportunity
      ? [{ path: 'opportunity_id', message: 'is not an opportunity in this team' }]
      : []),
  ]
  const ids = {
    lead_id: lead?.id ?? null,
    account_id: account?.id ?? null,
    opportunity_id: opportunity?.id ?? null,
  }
  return { faults, lead, account, ids }
}

/** Of what it points at, what is still there. */
export async function living(
  ctx: Context,
  { lead_id = null, account_id = null, opportunity_id = null }: Ids,
) {
  return (await referenced(ctx, { lead_id, account_id, opportunity_id })).ids
}

/** The customer, as far as the team knows. */
export function customerFrom({ lead, account }: Found): Party {
  const name = account?.name ?? lead?.company ?? (lead ? nameOf(lead) : null)
  return {
    // First and last name together may be longer than one field.
    name: name && name.slice(0, TEXT_LENGTH_MAX).toWellFormed(),
    email: lead?.email ?? null,
    address: null,
    tax_id: null,
  }
}

async function leadOf(ctx: Context, id: string | null | undefined): Promise<Lead | undefined> {
  return id ? findLead(ctx, id) : undefined
}

async function accountOf(ctx: Context, id: string | null | undefined): Promise<Account | undefined> {
  const [account] = id ? await findAccounts(ctx, [id]) : []
  return account?.deleted_at ? undefined : account
}
