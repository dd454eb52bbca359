import type { ListRuns } from '#domains/workflows/contract.ts'
import { runStatuses, workflowStatuses } from '#domains/workflows/values.ts'
import {
  filterQuery,
  filtersOf,
  isId,
  isOneOf,
  searchOf,
  type FilterShape,
  type ListSearch,
  type SearchShape,
} from '../../ui/record-list/search.ts'

const VERSION_MAX = 2_000_000_000

export const workflowsShape: SearchShape = {
  sorts: ['name', 'created_at', 'updated_at'],
  defaultSort: '-updated_at',
  lists: { status: isOneOf(workflowStatuses) },
}

/** Keeps only valid parameters of the URL. */
export function workflowsSearch(raw: Record<string, unknown>): ListSearch {
  return searchOf(workflowsShape, raw)
}

/** The search parameters of the runs page: the tab and the filters. */
export type RunsSearch = ListSearch & { tab?: 'versions' }

const runsShape: FilterShape = {
  lists: { status: isOneOf(runStatuses), version: isVersion, lead: isId },
  singles: ['version', 'lead'],
  period: true,
}

export function runsSearch(raw: Record<string, unknown>): RunsSearch {
  return raw.tab === 'versions' ? { tab: 'versions' } : filtersOf(runsShape, raw)
}

/** The run filters in API format. */
export function runsQuery(search: ListSearch): ListRuns {
  const { lead, ...filters } = search
  return { ...filterQuery<ListRuns>(runsShape, filters), ...(Array.isArray(lead) && { lead_id: lead[0]! }) }
}

function isVersion(value: string): boolean {
  return /^[1-9]\d{0,9}$/.test(value) && Number(value) <= VERSION_MAX
}
