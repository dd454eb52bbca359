import { infiniteQueryOptions } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Option } from '../picker.tsx'
import type { ColumnField, Kind } from './columns.ts'
import type { Filter } from './filters.ts'
import type { SearchShape } from './search.ts'

/** What every record that is listed has. */
export type Listed = { id: string; updated_at: string; deleted_at: string | null }

/** One column of a list: what it shows of a record, and what can be done there. */
export type ListColumn<T> = ColumnField & {
  /** What the API calls this order. */
  sort?: string
  /** Times and amounts are wanted largest first. */
  falling?: boolean
  look?: 'number' | 'dim'
  show: (record: T) => ReactNode
  /** The same in letters alone, where the cell may be too narrow. */
  title?: (record: T) => string | undefined
  /** A choice that can be made in the cell itself. */
  choice?: {
    options: Option[]
    chosen: (record: T) => string
    pick: (record: T, value: string) => void
  }
}

/** A record on a narrow screen, in two lines. */
export type Card = { beside?: ReactNode; about?: ReactNode; mark?: ReactNode }

/** A kind of record as its list shows it. */
export type RecordKind<T extends Listed> = {
  kind: Kind
  /** "Accounts", and within a sentence "account" and "accounts". */
  title: string
  one: string
  many: string
  shape: SearchShape
  /** Every column there is; the first of them names the record and opens it. */
  columns: ListColumn<T>[]
  defaults: readonly string[]
  filters: Filter[]
  nameOf: (record: T) => string
  href: (record: T) => string
  open: (record: T) => void
  card: (record: T) => Card
  /** Where the same list comes as CSV, if it does. */
  exportPath?: string
  /** Absent for those who only read. */
  restore: ((record: T) => void) | undefined
}

export type Page<T> = { data: T[]; next_cursor: string | null }

export const PAGE_SIZE = 100

/** A list as it is scrolled through, page after page. */
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
