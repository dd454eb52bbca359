import type { ListSuppressions } from '#domains/suppressions/contract.ts'
import { suppressionChannels, suppressionReasons } from '#domains/suppressions/values.ts'
import {
  filterQuery,
  filtersOf,
  isOneOf,
  type FilterShape,
  type ListSearch,
} from '../../ui/record-list/search.ts'

/** What the URL of the list holds. */
export type SuppressionsSearch = ListSearch & {
  /** Removed entries. */
  lifted?: true
}

const suppressionsShape: FilterShape = {
  /** By the start of an email address or phone number. */
  searchable: true,
  lists: { channel: isOneOf(suppressionChannels), reason: isOneOf(suppressionReasons) },
}

/** Keeps only what the API understands. */
export function suppressionsSearch(raw: Record<string, unknown>): SuppressionsSearch {
  return {
    ...filtersOf(suppressionsShape, raw),
    ...(String(raw.lifted) === 'true' && { lifted: true }),
  }
}

/** The filters as the API takes them. */
export function suppressionsFilter({ lifted: _lifted, ...filters }: SuppressionsSearch): ListSuppressions {
  return filterQuery(suppressionsShape, filters)
}
