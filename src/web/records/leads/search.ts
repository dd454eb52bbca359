import type { ListLeads } from '#domains/leads/contract.ts'
import { callStatuses, leadSorts, leadStatuses } from '#domains/leads/values.ts'
import {
  isId,
  isIdOrNone,
  isText,
  searchOf,
  toQuery,
  type ListSearch,
  type SearchShape,
} from '../../ui/record-list/search.ts'

export const leadsShape: SearchShape = {
  sorts: leadSorts,
  defaultSort: '-created_at',
  filterable: true,
  lists: {
    pipeline_stage: isText,
    status: value => (leadStatuses as readonly string[]).includes(value),
    call_status: value => (callStatuses as readonly string[]).includes(value),
    owner_id: isIdOrNone,
    account_id: isId,
    source: isText,
    company: isText,
  },
  days: ['created_after', 'created_before'],
  instants: ['created_after', 'created_before'],
}

export function leadsSearch(raw: Record<string, unknown>): ListSearch {
  return searchOf(leadsShape, raw)
}

export type LeadsQuery = Omit<ListLeads, 'limit' | 'cursor'>

export function leadsQuery(search: ListSearch): LeadsQuery {
  return toQuery<LeadsQuery>(leadsShape, search)
}
