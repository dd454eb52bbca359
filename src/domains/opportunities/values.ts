export const opportunityStages = [
  'prospecting',
  'qualification',
  'proposal',
  'negotiation',
  'closed_won',
  'closed_lost',
] as const
export type OpportunityStage = (typeof opportunityStages)[number]

/** Terminal: only an ADMIN takes an opportunity out of one of these. */
export const closedStages = ['closed_won', 'closed_lost'] as const
export const openStages = opportunityStages.filter(
  stage => !(closedStages as readonly string[]).includes(stage),
)

/** How likely an opportunity in a stage is to be won, in percent: what the forecast weighs by. */
export const stageProbabilities: Record<OpportunityStage, number> = {
  prospecting: 10,
  qualification: 25,
  proposal: 50,
  negotiation: 75,
  closed_won: 100,
  closed_lost: 0,
}

export const opportunitySorts = ['created_at', 'updated_at', 'name', 'amount', 'close_date'] as const
export const DEFAULT_CURRENCY = 'USD'

export function isClosed(stage: string): boolean {
  return stage === 'closed_won' || stage === 'closed_lost'
}
