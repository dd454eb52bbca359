import {
  runStatuses,
  workflowStatuses,
  type RunStatus,
  type WorkflowStatus,
} from '#domains/workflows/values.ts'
import { instantsOf, isDay } from '../../ui/day.ts'

export const workflowSorts = ['-updated_at', '-created_at', 'name'] as const
export type WorkflowSort = (typeof workflowSorts)[number]

/** The search parameters of the list. */
export type WorkflowsSearch = {
  q?: string
  status?: WorkflowStatus
  sort?: Exclude<WorkflowSort, '-updated_at'>
  trashed?: true
}

const Q_LENGTH_MAX = 200
const VERSION_MAX = 2_000_000_000
const ID = /^[0-9a-f]{24}$/

/** Keeps only valid parameters of the URL. */
export function workflowsSearch(raw: Record<string, unknown>): WorkflowsSearch {
  const q = one(raw.q).slice(0, Q_LENGTH_MAX)
  const status = workflowStatuses.find(each => each === one(raw.status))
  const sort = workflowSorts.find(each => each === one(raw.sort))
  return {
    ...(q && { q }),
    ...(status && { status }),
    ...(sort && sort !== '-updated_at' && { sort }),
    ...(one(raw.trashed) === 'true' && { trashed: true as const }),
  }
}

export function workflowsFilters({ q, status, sort, trashed }: WorkflowsSearch) {
  return {
    sort: sort ?? ('-updated_at' as const),
    ...(q && { q }),
    ...(status && { status: [status] }),
    ...(trashed && { trashed }),
  }
}

/** The search parameters of the runs page: the tab and the filters. */
export type RunsSearch = {
  tab?: 'versions'
  status?: RunStatus
  version?: number
  lead?: string
  /** Local days, both inclusive. */
  from?: string
  until?: string
}

export function runsSearch(raw: Record<string, unknown>): RunsSearch {
  if (one(raw.tab) === 'versions') return { tab: 'versions' }
  const status = runStatuses.find(each => each === one(raw.status))
  const version = Number(/^\d{1,10}$/.test(one(raw.version)) ? one(raw.version) : 0)
  const [lead, from, until] = [one(raw.lead), one(raw.from), one(raw.until)]
  return {
    ...(status && { status }),
    ...(version >= 1 && version <= VERSION_MAX && { version }),
    ...(ID.test(lead) && { lead }),
    ...(isDay(from) && { from }),
    ...(isDay(until) && { until }),
  }
}

/** The run filters in API format. */
export function runsFilters({ status, version, lead, from, until }: RunsSearch) {
  return {
    ...(status && { status: [status] }),
    ...(version && { version }),
    ...(lead && { lead_id: lead }),
    ...instantsOf(from, until),
  }
}

function one(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return first === undefined || first === null ? '' : String(first)
}
