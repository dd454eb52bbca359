import type { Principal } from '#platform/context.ts'
import { invalid, Problem, type Fault } from '#platform/problem.ts'
import { atLeast } from '#platform/scopes.ts'
import type { NewOpportunity, Opportunity } from './contract.ts'
import { DEFAULT_CURRENCY, isClosed, type OpportunityStage } from './values.ts'

export function newOpportunity(
  input: NewOpportunity,
  account_id: string | null,
  made: { id: string; at: string },
  faults: Fault[],
): Opportunity {
  if (faults.length > 0) throw invalid(faults)
  const stage = input.stage ?? 'prospecting'
  return {
    id: made.id,
    name: input.name,
    lead_id: input.lead_id ?? null,
    account_id,
    amount: input.amount ?? null,
    currency: input.currency ?? DEFAULT_CURRENCY,
    stage,
    close_date: input.close_date ?? null,
    owner_id: input.owner_id ?? null,
    closed_at: isClosed(stage) ? made.at : null,
    created_at: made.at,
    updated_at: made.at,
    deleted_at: null,
  }
}

/** What else changes with the stage. A closed opportunity stays closed, unless an ADMIN opens it again. */
export function moved(
  opportunity: Opportunity,
  stage: OpportunityStage | undefined,
  by: Principal | undefined,
  at: string,
): Partial<Opportunity> {
  if (stage === undefined || stage === opportunity.stage) return {}
  if (isClosed(opportunity.stage) && !(by?.role && atLeast(by.role, 'ADMIN'))) {
    throw new Problem('forbidden', 'This opportunity is closed. Only an ADMIN can reopen it.', {
      code: 'closed',
    })
  }
  return { stage, closed_at: isClosed(stage) ? at : null }
}
