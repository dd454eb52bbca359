import { dateInWords } from '../../ui/time.tsx'
import { orList } from '../../ui/words.ts'
import type { LeadsSearch, ListFilter } from '../../records/leads/search.ts'

export type FilterName = ListFilter | 'created'

/** The available filters, with their labels. */
export const filterNames: [name: FilterName, label: string][] = [
  ['pipeline_stage', 'Stage'],
  ['status', 'Status'],
  ['owner_id', 'Owner'],
  ['account_id', 'Account'],
  ['call_status', 'Call status'],
  ['source', 'Source'],
  ['company', 'Company'],
  ['created', 'Created'],
]

/** Set by the link on an account page; it has no editor here. */
export const isChosenElsewhere = (name: FilterName) => name === 'account_id'

export const filterLabels = Object.fromEntries(filterNames) as Record<FilterName, string>

/** Recent time spans, as in the URL. */
export const spans: [value: string, label: string][] = [
  ['-0d', 'today'],
  ['-7d', 'in the last 7 days'],
  ['-30d', 'in the last 30 days'],
  ['-90d', 'in the last 90 days'],
  ['-365d', 'in the last year'],
]

export function isSet(search: LeadsSearch, name: FilterName): boolean {
  if (name === 'created') return search.created_after !== undefined || search.created_before !== undefined
  return search[name] !== undefined
}

export function without(search: LeadsSearch, name: FilterName): LeadsSearch {
  const next = { ...search }
  if (name === 'created') {
    delete next.created_after
    delete next.created_before
  } else delete next[name]
  return next
}

/** "is New or Won", "in the last 7 days", "from 3 May 2026 until 12 May 2026". */
export function filterInWords(
  search: LeadsSearch,
  name: FilterName,
  valueInWords: (value: string) => string,
): string {
  if (name === 'created') return spanInWords(search.created_after, search.created_before)
  const values = search[name] ?? []
  return values.length ? `is ${orList(values.map(valueInWords))}` : 'is …'
}

function spanInWords(after: string | undefined, before: string | undefined): string {
  const span = before === undefined && spans.find(([value]) => value === after)
  if (span) return span[1]
  const parts = [after && `from ${dayInWords(after)}`, before && `until ${dayInWords(before)}`]
  return parts.filter(Boolean).join(' ') || '…'
}

function dayInWords(day: string): string {
  return day.startsWith('-') ? `${day.slice(1, -1)} days ago` : dateInWords(day)
}
