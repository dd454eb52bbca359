import { parseSearch, searchText } from '../../search-text.ts'

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

/** What a list supports. */
export type SearchShape = {
  sorts: readonly string[]
  defaultSort: string
  /** Filters with several values, and which values are valid. */
  lists: Record<string, (value: string) => boolean>
  /** Those of them that take a single value. */
  singles?: readonly string[]
  /** Filters by date, absolute or relative: `-7d`, `30d`. `…_before` includes its day. */
  days?: readonly string[]
  /** Those of them that the API compares with an instant: the person's midnight. */
  instants?: readonly string[]
  /** Flags. */
  flags?: readonly string[]
}

const VALUES_MAX = 50
const TEXT_LENGTH_MAX = 200
const ID = /^[0-9a-f]{24}$/
const ROW = /^\d{1,9}$/
const DAY = /^(\d{4}-\d{2}-\d{2}|-?\d{1,4}d)$/

export function isId(value: string): boolean {
  return ID.test(value)
}

export function isIdOrNone(value: string): boolean {
  return value === 'none' || ID.test(value)
}

export function isText(value: string): boolean {
  return value.length > 0 && value.length <= TEXT_LENGTH_MAX
}

/** Drops everything the API would reject; always in the same order. */
export function searchOf(shape: SearchShape, raw: Record<string, unknown>): ListSearch {
  const search: ListSearch = {}
  const view = one(raw.view)
  if (view && isId(view)) search.view = view
  const q = one(raw.q)?.slice(0, TEXT_LENGTH_MAX)
  if (q) search.q = q
  const sort = one(raw.sort)
  if (sort && sort !== shape.defaultSort && shape.sorts.includes(sort.replace('-', ''))) search.sort = sort
  for (const [name, isValid] of Object.entries(shape.lists)) {
    const most = shape.singles?.includes(name) ? 1 : VALUES_MAX
    const values = [...new Set(many(raw[name]).filter(isValid))].slice(0, most)
    if (values.length) search[name] = values
  }
  for (const name of shape.days ?? []) {
    const day = one(raw[name])
    if (day && DAY.test(day)) search[name] = day
  }
  for (const name of shape.flags ?? []) if (one(raw[name]) === 'true') search[name] = true
  if (one(raw.trashed) === 'true') search.trashed = true
  const row = one(raw.row)
  if (row && ROW.test(row)) search.row = row
  return search
}

/** Filters and sorting only, as stored in a saved view. */
export function filterText(search: ListSearch): string {
  return searchText(without(search, 'view', 'row'))
}

export function fromFilterText(shape: SearchShape, text: string): ListSearch {
  return without(searchOf(shape, parseSearch(text)), 'view', 'row')
}

/** The query for the API: local days as instants, and always a sort. */
export function toQuery<Query>(shape: SearchShape, search: ListSearch): Query {
  const query: Record<string, unknown> = { sort: shape.defaultSort, ...without(search, 'view', 'row') }
  for (const name of shape.days ?? []) {
    const day = search[name]
    if (typeof day !== 'string') continue
    const date = dateOf(day, name.endsWith('_before') ? 1 : 0)
    query[name] = shape.instants?.includes(name) ? date.toISOString() : calendarDay(date)
  }
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

/** Midnight of `2026-03-31`, or of `-7d` counted from today, moved on by some days. */
function dateOf(day: string, add: number): Date {
  const date = new Date()
  if (day.endsWith('d')) date.setDate(date.getDate() + Number.parseInt(day, 10))
  else {
    const [year = 0, month = 1, dayOfMonth = 1] = day.split('-').map(Number)
    date.setFullYear(year, month - 1, dayOfMonth)
  }
  date.setHours(0, 0, 0, 0)
  date.setDate(date.getDate() + add)
  return date
}

function calendarDay(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function one(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return first === undefined || first === null ? undefined : String(first)
}

function many(value: unknown): string[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).map(String)
}
