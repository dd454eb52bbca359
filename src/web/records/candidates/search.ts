import { candidateSorts, candidateStatuses } from '#domains/candidates/values.ts'
import { isId, searchOf, type ListSearch, type SearchShape } from '../../ui/record-list/search.ts'

const SCORE_MAX = 100

export const candidatesShape: SearchShape = {
  sorts: candidateSorts,
  defaultSort: '-created_at',
  lists: {
    status: value => (candidateStatuses as readonly string[]).includes(value),
    converted: value => value === 'true' || value === 'false',
    score_min: value => /^\d{1,3}$/.test(value) && Number(value) <= SCORE_MAX,
    lead_id: isId,
  },
  singles: ['converted', 'score_min'],
}

export function candidatesSearch(raw: Record<string, unknown>): ListSearch {
  return searchOf(candidatesShape, raw)
}
