import type { Lead } from '#domains/leads/contract.ts'
import type { Opportunity } from '#domains/opportunities/contract.ts'

/** A card on the pipeline board: a lead or an opportunity. */
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

export function dealOf(of: Deal['of'], record: Lead | Opportunity): Deal {
  return of === 'leads' ? dealOfLead(record as Lead) : dealOfOpportunity(record as Opportunity)
}

/** The same deal in another stage. */
export function inStage(deal: Deal, stage: string): Deal {
  return deal.of === 'leads'
    ? dealOfLead({ ...deal.record, pipeline_stage: stage })
    : dealOfOpportunity({ ...deal.record, stage: stage as Opportunity['stage'] })
}

/**
 * Each deal once, in its current stage. Columns load one after the other, page by page, so a deal that someone changes
 * meanwhile may briefly be in two of them, in one it has left, or in none. In the last case it stays where it was
 * `before`, as long as that column is `reading`. Deals that joined a column after it was loaded come first.
 */
export function byStage(
  columns: ReadonlyMap<string, readonly Deal[]>,
  before: ReadonlyMap<string, readonly Deal[]>,
  reading: ReadonlySet<string>,
): Map<string, Deal[]> {
  const latest = new Map<string, Deal>()
  for (const deal of [...columns.values()].flat()) {
    const known = latest.get(deal.id)
    if (!known || known.record.updated_at < deal.record.updated_at) latest.set(deal.id, deal)
  }
  for (const stage of reading) {
    for (const deal of before.get(stage) ?? []) if (!latest.has(deal.id)) latest.set(deal.id, deal)
  }
  const standing = new Map<string, Deal[]>()
  for (const [stage, deals] of columns) {
    const own = new Set(deals.filter(deal => latest.get(deal.id) === deal && deal.stage === stage))
    const come = [...latest.values()].filter(deal => deal.stage === stage && !own.has(deal))
    standing.set(stage, [...come.toReversed(), ...own])
  }
  return standing
}
