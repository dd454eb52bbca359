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
