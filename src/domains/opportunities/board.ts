import type { Context } from '#platform/context.ts'
import type { LeadFilters } from '#domains/leads/contract.ts'
import { countLeadsByStage, leadsWithStages } from '#domains/leads/listing.ts'
import { getSettings } from '#domains/leads/service.ts'
import type { Board, OpportunityFilters } from './contract.ts'
import * as store from './store.ts'
import { opportunityStages } from './values.ts'

/** Every stage has a column, even an empty one. */
export async function opportunityBoard(ctx: Context, filters: OpportunityFilters): Promise<Board> {
  return boardOf(await store.sumsByStage(ctx, filters))
}

export async function leadBoard(ctx: Context, filters: LeadFilters): Promise<Board> {
  const { pipeline_stages } = await getSettings(ctx)
  const [counts, sums] = await Promise.all([
    countLeadsByStage(ctx, filters),
    leadsWithStages(ctx, filters).then(leads => store.sumsOfLeads(ctx, leads)),
  ])
  const columns = pipeline_stages.map(stage => ({
    ...columnOf(stage, sums),
    count: counts.find(row => row.stage === stage)?.count ?? 0,
  }))
  return { columns }
}

export async function forecast(ctx: Context, filters: OpportunityFilters) {
  return { months: await store.forecast(ctx, filters) }
}

/** The board of every deal and its forecast, for a page that shows both. */
export async function boardAndForecast(ctx: Context) {
  const { stages, months } = await store.sumsByStageAndMonth(ctx)
  return { board: boardOf(stages), months }
}

function boardOf(sums: store.SumRow[]): Board {
  return { columns: opportunityStages.map(stage => columnOf(stage, sums)) }
}

function columnOf(stage: string, rows: store.SumRow[]) {
  const own = rows.filter(row => row.stage === stage)
  return {
    stage,
    count: own.reduce((total, row) => total + row.count, 0),
    sums: own.map(({ currency, amount, weighted }) => ({ currency, amount, weighted })),
  }
}
