import type { Opportunity, OpportunityChange } from '#domains/opportunities/contract.ts'
import { isClosed, type OpportunityStage } from '#domains/opportunities/values.ts'
import { cacheKeys } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { recordStore } from '../store.ts'
import { valueText } from '../value-text.ts'
import { stageName } from './deal-stage.tsx'

export const opportunities = recordStore<Opportunity, OpportunityChange>({
  path: '/api/crm/opportunities',
  keys: [cacheKeys.opportunities],
  one: 'opportunity',
  nameOf: ({ name }) => name,
  textOf: (value, field) => (field === 'stage' ? stageName(String(value)) : valueText(value, field)),
  refresh: () =>
    Promise.all(
      [cacheKeys.opportunities, cacheKeys.leadBoard].map(queryKey =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    ),
})

/** Offers Undo only to people who may move the deal out of its new stage. */
export function setStage(
  { id, name }: Opportunity,
  stage: OpportunityStage,
  isAdmin: boolean,
): Promise<boolean> {
  const told = `Moved ${name} to ${stageName(stage)}`
  return opportunities.change(id, { stage }, !isClosed(stage) || isAdmin ? told : { plain: told })
}
