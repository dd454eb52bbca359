import { infiniteQueryOptions } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Option } from '../picker.tsx'
import type { ColumnField, Kind } from './columns.ts'
import type { Filter } from './filters.ts'
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
  /** Options to choose from in the cell. */
  choice?: {
    options: Option[]
    chosen: (record: T) => string
    pick: (record: T, value: string) => void
  }
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
  nameOf: (record: T) => string
  href: (record: T) => string
  open: (record: T) => void
  card: (record: T) => Card
  /** The path of the CSV export, if any. */
  exportPath?: string
  /** Absent for viewers. */
  restore: ((record: T) => void) | undefined
}

export type Page<T> = { data: T[]; next_cursor: string | null }

export const PAGE_SIZE = 100

/** A paged list. */
export function listQuery<T extends Listed>(
  key: readonly string[],
  text: string,
  load: (page: { limit: number; cursor?: string }, signal: AbortSignal) => Promise<Page<T>>,
) {
  return infiniteQueryOptions({
    queryKey: [...key, 'list', text],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      load({ limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) }, signal),
    getNextPageParam: (last: Page<T>) => last.next_cursor ?? undefined,
  })
}
