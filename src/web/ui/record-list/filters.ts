import type { ComponentType, ReactElement } from 'react'
import type { Option } from '../picker.tsx'
import { dateInWords } from '../time.tsx'
import { orList } from '../words.ts'
import { valuesOf, without, type ListSearch } from './search.ts'
import type { Span } from './span-filter.tsx'

/** A filter of a list. */
export type Filter =
  /** One or more of a few known values. */
  | {
      kind: 'choice'
      name: string
      label: string
      options: Option[]
      single?: true
      /** The value that applies while none is set; such a filter is always shown. */
      usual?: string
    }
  /** Typed values, such as industries. */
  | { kind: 'words'; name: string; label: string; single?: true }
  /** Records set by a link: shown by name. Without a picker they can only be removed. */
  | {
      kind: 'record'
      name: string
      label: string
      nameOf: (id: string) => string
      picker?: ComponentType<RecordPickerProps>
    }
  /** A flag, such as "overdue". */
  | { kind: 'flag'; name: string; label: string; words: string }
  /** A date range, stored in the two parameters named here. */
  | {
      kind: 'span'
      name: string
      label: string
      after: string
      before: string
      spans: readonly (readonly [span: Span, label: string])[]
    }

export type RecordPickerProps = {
  label: string
  pick: (record: { id: string }) => void
  close: () => void
  children: ReactElement
}

/** What shows and edits a filter on any field, which the search keeps as text. */
export type FieldFiltersProps = {
  filter: string | undefined
  set: (filter: string | undefined) => void
  /** Whether it is to be edited now; `close` ends that. */
  editing: boolean
  close: () => void
}

type Spans = Extract<Filter, { kind: 'span' }>['spans']

/** Named ranges of a log. */
const recently: Spans = [
  [{ after: '0d' }, 'today'],
  [{ after: '-6d' }, 'in the last 7 days'],
  [{ after: '-29d' }, 'in the last 30 days'],
]

/** A filter by the period in `from` and `until`. */
export function periodFilter(label: string): Filter {
  return { kind: 'span', name: 'period', label, after: 'from', before: 'until', spans: recently }
}

export function isSet(search: ListSearch, filter: Filter): boolean {
  if (filter.kind !== 'span') return search[filter.name] !== undefined
  return search[filter.after] !== undefined || search[filter.before] !== undefined
}

export function removed(search: ListSearch, filter: Filter): ListSearch {
  return filter.kind === 'span' ? without(search, filter.after, filter.before) : without(search, filter.name)
}

/** Adds chosen values that are not among the options, such as a record in the trash. */
export function withChosen(
  options: Option[],
  chosen: readonly string[],
  nameOf: (value: string) => string,
): Option[] {
  const others = chosen.filter(value => !options.some(option => option.value === value))
  return [...others.map(value => ({ value, label: nameOf(value) })), ...options]
}

export function withValues(search: ListSearch, name: string, values: string[]): ListSearch {
  return values.length ? { ...search, [name]: values } : without(search, name)
}

/** The values of a filter that is set, or the usual one. */
export function chosenOf(search: ListSearch, filter: Filter): string[] {
  const values = valuesOf(search, filter.name)
  return values.length || filter.kind !== 'choice' || !filter.usual ? values : [filter.usual]
}

export function spanOf(search: ListSearch, after: string, before: string): Span {
  return {
    ...(typeof search[after] === 'string' && { after: search[after] }),
    ...(typeof search[before] === 'string' && { before: search[before] }),
  }
}

/** "is Proposal or Won", "in the next 30 days", "from 3 May 2026 until 12 May 2026". */
export function filterInWords(search: ListSearch, filter: Filter): string {
  if (filter.kind === 'span') {
    const now = spanOf(search, filter.after, filter.before)
    const named = filter.spans.find(([span]) => span.after === now.after && span.before === now.before)
    const parts = [
      now.after && `from ${dayInWords(now.after)}`,
      now.before && `until ${dayInWords(now.before)}`,
    ]
    return named?.[1] ?? (parts.filter(Boolean).join(' ') || '…')
  }
  if (filter.kind === 'flag') return filter.words
  const values = chosenOf(search, filter)
  return values.length ? `is ${orList(values.map(value => valueInWords(filter, value)))}` : 'is …'
}

function valueInWords(filter: Exclude<Filter, { kind: 'span' | 'flag' }>, value: string): string {
  if (filter.kind === 'words') return value
  if (filter.kind === 'record') return filter.nameOf(value)
  return filter.options.find(option => option.value === value)?.label ?? value
}

function dayInWords(day: string): string {
  if (!day.endsWith('d')) return dateInWords(day)
  const days = Number.parseInt(day, 10)
  if (days === 0) return 'today'
  return days < 0 ? `${-days} days ago` : `in ${days} days`
}
