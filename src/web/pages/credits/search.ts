import { entryKinds } from '#domains/credits/values.ts'
import { filtersOf, isOneOf, type FilterShape, type ListSearch } from '../../ui/record-list/search.ts'

export const creditsShape: FilterShape = { lists: { kind: isOneOf(entryKinds) } }

/** Whatever the URL contains, only what the API understands gets through. */
export function creditsSearch(raw: Record<string, unknown>): ListSearch {
  return filtersOf(creditsShape, raw)
}
