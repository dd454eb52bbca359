import { parseSearch, searchText } from '../../search-text.ts'
import { dayAfter, dayAgo, instantsOf, isDay, startOf } from '../day.ts'

/** Search parameters of a list. All other keys are filters. */
export type ListSearch = {
  view?: string
  q?: string
  sort?: string
  trashed?: true
  /** On the page of a record: its row in the list it was opened from. */
  row?: string
  [filter: string]: string | string[] | true | undefined
}

/** What a list can be filtered by. */
export type FilterShape = {
  /** Whether it can be searched by text. */
  searchable?: true
  /** Filters with several values, and which values are valid. */
  lists: Record<string, (value: string) => boolean>
  /** Those of them that take a single value. */
  singles?: readonly string[]
  /** Filters by date, absolute or relative: `-7d`, `30d`. `…_before` includes its day. */
  days?: readonly string[]
  /** Those of them that the API compares with an instant: the person's midnight. */
  instants?: readonly string[]
  /** A period in `from` and `until`, as days like above; the API takes instants. */
  period?: true
  /** Flags. */
  flags?: readonly string[]
  /** Takes a filter on any field, as JSON in `filter`. */
  filterable?: true
}

/** A list with text search, a choice of order and a trash. */
export type SearchShape = FilterShape & {
  sorts: readonly string[]
  defaultSort: string
}

const VALUES_MAX = 50
const TEXT_LENGTH_MAX = 200
const ID = /^[0-9a-f]{24}$/
const ROW = /^\d{1,9}$/
const RELATIVE_DAY = /^-?\d{1,4}d$/
const PERIOD = ['from', 'until'] as const

export function isId(value: string): boolean {
  return ID.test(value)
}

export function isIdOrNone(value: string): boolean {
  return value === 'none' || ID.test(value)
}

export function isText(value: string): boolean {
  return value.length > 0 && value.length <= TEXT_LENGTH_MAX
}

/** Whether it is one of the values. */
export function isOneOf(values: readonly string[]): (value: string) => boolean {
  return value => values.includes(value)
}

/** Drops everything the API would reject; always in the same order. */
export function searchOf(shape: SearchShape, raw: Record<string, unknown>): ListSearch {
  const { q, ...filters } = filtersOf({ ...shape, searchable: true }, raw)
  const [view, sort, row] = [one(raw.view), one(raw.sort), one(raw.row)]
  const isSort = sort && sort !== shape.defaultSort && shape.sorts.includes(sort.replace('-', ''))
  return {
    ...(view && isId(view) && { view }),
    ...(q && { q }),
    ...(isSort && { sort }),
    ...filters,
    ...(one(raw.trashed) === 'true' && { trashed: true }),
    ...(row && ROW.test(row) && { row }),
  }
}

/** The filters alone, for lists without views, order and trash. */
export function filtersOf(shape: FilterShape, raw: Record<string, unknown>): ListSearch {
  const search: ListSearch = {}
  const q = shape.searchable && one(raw.q)?.slice(0, TEXT_LENGTH_MAX)
  if (q) search.q = q
  for (const [name, isValid] of Object.entries(shape.lists)) {
    const most = shape.singles?.includes(name) ? 1 : VALUES_MAX
    const values = [...new Set(many(raw[name]).filter(isValid))].slice(0, most)
    if (values.length) search[name] = values
  }
  for (const name of [...(shape.days ?? []), ...(shape.period ? PERIOD : [])]) {
    const day = one(raw[name])
    if (day && (isDay(day) || RELATIVE_DAY.test(day))) search[name] = day
  }
  for (const name of shape.flags ?? []) if (one(raw[name]) === 'true') search[name] = true
  const filter = shape.filterable && one(raw.filter)
  if (filter && isFilterText(filter)) search.filter = filter
  return search
}

/** Filters and sorting only, as stored in a saved view. */
export function filterText(search: ListSearch): string {
  return searchText(without(search, 'view', 'row'))
}

export function fromFilterText(shape: SearchShape, text: string): ListSearch {
  return without(searchOf(shape, parseSearch(text)), 'view', 'row')
}

/** The query for the API: always with a sort. */
export function toQuery<Query>(shape: SearchShape, search: ListSearch): Query {
  return { sort: shape.defaultSort, ...filterQuery<object>(shape, search) } as Query
}

/** The filters as the API takes them. */
export function filterQuery<Query>(shape: FilterShape, search: ListSearch): Query {
  const query: Record<string, unknown> = without(search, 'view', 'row')
  for (const name of shape.days ?? []) {
    const day = dayOf(search, name)
    if (!day) continue
    const add = name.endsWith('_before') ? 1 : 0
    query[name] = shape.instants?.includes(name) ? startOf(day, add).toISOString() : dayAfter(day, add)
  }
  if (shape.period) Object.assign(query, instantsOf(dayOf(search, 'from'), dayOf(search, 'until')))
  return query as Query
}

export function isFiltered(search: ListSearch): boolean {
  return Object.keys(without(search, 'view', 'row', 'sort', 'trashed')).length > 0
}

export function clearedFilters({ view, sort, trashed }: ListSearch): ListSearch {
  return { ...(view && { view }), ...(sort && { sort }), ...(trashed && { trashed }) }
}

export function without(search: ListSearch, ...names: string[]): ListSearch {
  return Object.fromEntries(Object.entries(search).filter(([name]) => !names.includes(name)))
}

/** The values of a filter. */
export function valuesOf(search: ListSearch, name: string): string[] {
  const values = search[name]
  return Array.isArray(values) ? values : []
}

/** A day of the calendar: `-7d` is counted from today. */
function dayOf(search: ListSearch, name: string): string | undefined {
  const day = search[name]
  if (typeof day !== 'string') return undefined
  return RELATIVE_DAY.test(day) ? dayAgo(-Number.parseInt(day, 10)) : day
}

function one(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return first === undefined || first === null ? undefined : String(first)
}

/** Which fields there are, the server knows. */
function isFilterText(text: string): boolean {
  try {
    const filter: unknown = JSON.parse(text)
    return typeof filter === 'object' && filter !== null && !Array.isArray(filter)
  } catch {
    return false
  }
}

function many(value: unknown): string[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map(String)
}
