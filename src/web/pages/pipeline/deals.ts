import type { Lead } from '#domains/leads/contract.ts'
import type { Opportunity } from '#domains/opportunities/contract.ts'

/** What stands on the board of the pipeline: a lead or an opportunity. */
export type Deal = { id: string; stage: string } & (
  | { of: 'leads'; record: Lead }
  | { of: 'opportunities'; record: Opportunity }
)

export function dealOfLead(record: Lead): Deal {
  return { of: 'leads', id: record.id, stage: record.pipeline_stage, record }
}

export function dealOfOpportunity(record: Opportunity): Deal {
  return { of: 'opportunities', id: record.id, stage: record.stage, record }
}

/** The same in another stage. */
export function inStage(deal: Deal, stage: string): Deal {
  return deal.of === 'leads'
    ? dealOfLead({ ...deal.record, pipeline_stage: stage })
    : dealOfOpportunity({ ...deal.record, stage: stage as Opportunity['stage'] })
}

/**
 * Each deal once, as it was read last: columns are read one after the other, page by page, and what somebody moves or
 * touches meanwhile is in two places for a moment.
 */
export function latestOf(deals: readonly Deal[]): Set<Deal> {
  const latest = new Map<string, Deal>()
  for (const deal of deals) {
    const known = latest.get(deal.id)
    if (!known || known.record.updated_at < deal.record.updated_at) latest.set(deal.id, deal)
  }
  return new Set(latest.values())
}
