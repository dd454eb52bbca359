import type { ListLeads } from '#domains/leads/contract.ts'
import {
  callStatuses,
  leadSorts,
  leadStatuses,
  type CallStatus,
  type LeadStatus,
} from '#domains/leads/values.ts'
import { parseSearch, searchText, type RawSearch } from '../../search-text.ts'

export type Sort = NonNullable<ListLeads['sort']>

/** The URL parameters of the leads table. */
export type LeadsSearch = {
  view?: string
  q?: string
  sort?: Sort
  pipeline_stage?: string[]
  status?: LeadStatus[]
  call_status?: CallStatus[]
  owner_id?: string[]
  account_id?: string[]
  source?: string[]
  company?: string[]
  /** A day, or `-7d` for seven days ago. */
  created_after?: string
  created_before?: string
  trashed?: true
  /** On a lead page: the row of the lead in the list it was opened from. */
  row?: number
}

/** The filters that are lists. */
export const listFilters = [
  'pipeline_stage',
  'status',
  'call_status',
  'owner_id',
  'account_id',
  'source',
  'company',
] as const
export type ListFilter = (typeof listFilters)[number]

export const DEFAULT_SORT: Sort = '-created_at'
const VALUES_MAX = 50
const sorts = new Set<string>(leadSorts.flatMap(sort => [sort, `-${sort}`]))
const ID = /^[0-9a-f]{24}$/
const DAY = /^(\d{4}-\d{2}-\d{2}|-\d{1,4}d)$/

/** Keeps only what the API understands, always in the same order. */
export function validateSearch(raw: Record<string, unknown>): LeadsSearch {
  const search: LeadsSearch = {}
  const view = one(raw.view)
  if (view && ID.test(view)) search.view = view
  const q = one(raw.q)?.slice(0, 200)
  if (q) search.q = q
  const sort = one(raw.sort)
  if (sort && sorts.has(sort) && sort !== DEFAULT_SORT) search.sort = sort as Sort
  put(search, 'pipeline_stage', many(raw.pipeline_stage))
  put(search, 'status', many(raw.status).filter(isIn(leadStatuses)))
  put(search, 'call_status', many(raw.call_status).filter(isIn(callStatuses)))
  put(
    search,
    'owner_id',
    many(raw.owner_id).filter(id => id === 'none' || ID.test(id)),
  )
  put(
    search,
    'account_id',
    many(raw.account_id).filter(id => ID.test(id)),
  )
  put(search, 'source', many(raw.source))
  put(search, 'company', many(raw.company))
  const after = one(raw.created_after)
  if (after && DAY.test(after)) search.created_after = after
  const before = one(raw.created_before)
  if (before && DAY.test(before)) search.created_before = before
  if (one(raw.trashed) === 'true') search.trashed = true
  const row = Number(one(raw.row))
  if (one(raw.row) && Number.isInteger(row) && row >= 0) search.row = row
  return search
}

/** Only filters and sorting, as saved views store them. */
export function filterText(search: LeadsSearch): string {
  const { view: _view, row: _row, ...rest } = search
  return searchText(rest)
}

export function fromFilterText(text: string): LeadsSearch {
  const { view: _view, row: _row, ...rest } = validateSearch(parseSearch(text) satisfies RawSearch)
  return rest
}

export function toQuery(search: LeadsSearch): Omit<ListLeads, 'limit' | 'cursor'> {
  const { view: _view, row: _row, created_after, created_before, ...rest } = search
  const query: Omit<ListLeads, 'limit' | 'cursor'> = { sort: DEFAULT_SORT, ...rest }
  const after = created_after && startOfDay(created_after, 0)
  if (after) query.created_after = after
  // "Until the 12th" includes the 12th.
  const before = created_before && startOfDay(created_before, 1)
  if (before) query.created_before = before
  return query
}

export function isFiltered(search: LeadsSearch): boolean {
  const { view: _view, row: _row, sort: _sort, trashed: _trashed, ...filters } = search
  return Object.keys(filters).length > 0
}

export function clearedFilters(search: LeadsSearch): LeadsSearch {
  const { view, sort, trashed } = search
  return { ...(view && { view }), ...(sort && { sort }), ...(trashed && { trashed }) }
}

/** Midnight in the person's time zone, plus some days. */
function startOfDay(day: string, add: number): string | undefined {
  const date = new Date()
  if (day.startsWith('-')) date.setDate(date.getDate() - Number.parseInt(day.slice(1), 10))
  else {
    const [year = 0, month = 1, dayOfMonth = 1] = day.split('-').map(Number)
    date.setFullYear(year, month - 1, dayOfMonth)
  }
  date.setHours(0, 0, 0, 0)
  date.setDate(date.getDate() + add)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

function put<K extends ListFilter>(search: LeadsSearch, key: K, values: NonNullable<LeadsSearch[K]>): void {
  if (values.length) search[key] = [...new Set(values as string[])].slice(0, VALUES_MAX) as LeadsSearch[K]
}

function one(value: unknown): string | undefined {
  const first = Array.isArray(value) ? value[0] : value
  return first === undefined || first === null ? undefined : String(first)
}

function many(value: unknown): string[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map(String).filter(text => text.length > 0)
}

function isIn<const T extends string>(values: readonly T[]) {
  return (text: string): text is T => (values as readonly string[]).includes(text)
}
