import type { ComponentType, ReactElement, ReactNode } from 'react'
import type { ColumnField, Kind } from './columns.ts'
import type { FieldFiltersProps, Filter } from './filters.ts'
import type { SearchShape } from './search.ts'

/** Fields of every listed record. */
export type Listed = { id: string; updated_at: string; deleted_at: string | null }

/** A column of a list: how it shows, sorts and edits a record. */
export type ListColumn<T> = ColumnField & {
  /** The sort key of the API. */
  sort?: string
  /** Sorts descending first, for times and amounts. */
  falling?: boolean
  look?: 'number' | 'dim'
  show: (record: T) => ReactNode
  /** The same as plain text, for the title of a narrow cell. */
  title?: (record: T) => string | undefined
  /** The editor of the cell; absent if it cannot be edited here. */
  edit?: (record: T, cell: Cell) => ReactElement
  /** Empties the field; absent if it cannot be empty. */
  clear?: (record: T) => void
}

/** A cell while it is edited. */
export type Cell = {
  /** "Stage of Ada Lovelace". */
  label: string
  stop: () => void
  /** Stops, and goes to the next or previous cell. */
  step: (backwards: boolean) => void
}

/** A record on narrow screens, in two lines. */
export type Card = { beside?: ReactNode; about?: ReactNode; mark?: ReactNode }

/** How a kind of record is listed. */
export type RecordKind<T extends Listed> = {
  kind: Kind
  /** "Accounts", and within a sentence "account" and "accounts". */
  title: string
  one: string
  many: string
  shape: SearchShape
  /** All columns; the first is the name and opens the record. */
  columns: ListColumn<T>[]
  defaults: readonly string[]
  filters: Filter[]
  /** Filters on any other field, with and, or and groups. */
  fieldFilters?: ComponentType<FieldFiltersProps>
  nameOf: (record: T) => string
  /** The address of a record, and how to open it; `row` is its place in the list. */
  href: (record: T, row: number) => string
  open: (record: T, row: number) => void
  card: (record: T) => Card
  /** The path of the CSV export, if any. */
  exportPath?: string
  /** If the export has only the shown columns: the fields of a column. */
  exportFields?: (key: string) => string[]
  /** Absent for viewers. */
  restore: ((record: T) => void) | undefined
}

/** The name stays in place while the table scrolls sideways. */
export function isPinned(key: string, col: number): boolean {
  return col === 0 && key === 'name'
}
