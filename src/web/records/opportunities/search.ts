import { opportunitySorts, opportunityStages } from '#domains/opportunities/values.ts'
import { isId, isIdOrNone, searchOf, type ListSearch, type SearchShape } from '../../ui/record-list/search.ts'

export const opportunitiesShape: SearchShape = {
  sorts: opportunitySorts,
  defaultSort: '-created_at',
  filterable: true,
  lists: {
    stage: value => (opportunityStages as readonly string[]).includes(value),
    owner_id: isIdOrNone,
    lead_id: isId,
    account_id: isId,
    currency: value => /^[A-Z]{3}$/.test(value),
  },
  days: ['close_after', 'close_before'],
}

export function opportunitiesSearch(raw: Record<string, unknown>): ListSearch {
  return searchOf(opportunitiesShape, raw)
}
