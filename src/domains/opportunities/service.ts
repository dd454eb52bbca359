import type { Context } from '#platform/context.ts'
import { record } from '#platform/events.ts'
import { invalid, type Fault } from '#platform/problem.ts'
import { filledFields } from '#platform/records.ts'
import { accountFaults } from '#domains/accounts/service.ts'
import { memberFaults } from '#domains/identity/members.ts'
import { dealStageChanged, type Lead } from '#domains/leads/contract.ts'
import { findLead } from '#domains/leads/service.ts'
import {
  opportunityEvents,
  type NewOpportunity,
  type Opportunity,
  type OpportunityChange,
} from './contract.ts'
import { moved, newOpportunity } from './model.ts'
import { records } from './store.ts'

export {
  exportAll as exportOpportunities,
  list as listOpportunities,
  outline as outlineOpportunities,
  query as queryOpportunities,
  quick as quickOpportunities,
} from './store.ts'

export const getOpportunity = records.get
export const trashOpportunity = records.trash
export const restoreOpportunity = (ctx: Context, id: string) => records.restore(ctx, id)
export const purgeOpportunities = records.purge

/** One that is alive. */
export async function findOpportunity(ctx: Context, id: string): Promise<Opportunity | undefined> {
  const found = await records.find(ctx, id)
  return found?.deleted_at ? undefined : found
}

/** For callers whose decision must hold until the end of the transaction. */
export async function lockOpportunity(ctx: Context, id: string): Promise<Opportunity | undefined> {
  return (await records.lockAll(ctx, [id]))[0]
}

export async function createOpportunity(ctx: Context, input: NewOpportunity): Promise<Opportunity> {
  return ctx.transaction(async ctx => {
    const { faults, lead } = await referenced(ctx, input)
    const account_id = input.account_id === undefined ? (lead?.account_id ?? null) : input.account_id
    const made = { id: ctx.newId(), at: ctx.now() }
    const opportunity = newOpportunity(input, account_id, made, faults)
    records.insert(ctx, opportunity)
    record(ctx, opportunityEvents.created, records.about(opportunity), {
      opportunity: filledFields(opportunity),
    })
    return opportunity
  })
}

export async function changeOpportunity(
  ctx: Context,
  id: string,
  change: OpportunityChange,
  ifMatch?: string,
): Promise<Opportunity> {
  return ctx.transaction(async ctx => {
    const before = await records.getForChange(ctx, id, ifMatch)
    const { faults } = await referenced(ctx, change)
    if (faults.length > 0) throw invalid(faults)
    const after = records.change(ctx, before, {
      ...change,
      ...moved(before, change.stage, ctx.principal, ctx.now()),
    })
    if (after.stage !== before.stage) {
      record(ctx, dealStageChanged, records.about(after), {
        of: 'opportunity',
        name: after.name,
        before: { stage: before.stage },
        after: { stage: after.stage },
      })
    }
    return after
  })
}

/** An opportunity points only at what its own team has. */
async function referenced(
  ctx: Context,
  { lead_id, account_id, owner_id }: OpportunityChange,
): Promise<{ faults: Fault[]; lead: Lead | undefined }> {
  const lead = lead_id ? await findLead(ctx, lead_id) : undefined
  const faults = [
    ...(lead_id && !lead ? [{ path: 'lead_id', message: 'is not a lead in this team' }] : []),
    ...(await accountFaults(ctx, account_id)),
    ...(await memberFaults(ctx, owner_id, 'owner_id')),
  ]
  return { faults, lead }
}
