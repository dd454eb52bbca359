import type { ListColumn } from './list.ts'
import { without, type ListSearch, type SearchShape } from './search.ts'

type Sortable = Pick<ListColumn<never>, 'sort' | 'falling'>

export function directionOf(
  column: Sortable,
  search: ListSearch,
  shape: SearchShape,
): 'ascending' | 'descending' | undefined {
  const sort = search.sort ?? shape.defaultSort
  if (!column.sort || sort.replace('-', '') !== column.sort) return undefined
  return sort.startsWith('-') ? 'descending' : 'ascending'
}

/** Ascending, descending, then the default. */
export function sortedBy(column: Sortable, search: ListSearch, shape: SearchShape): ListSearch {
  if (!column.sort) return search
  const [first, second] = column.falling ? [`-${column.sort}`, column.sort] : [column.sort, `-${column.sort}`]
  const now = search.sort ?? shape.defaultSort
  const next = now === first ? second : now === second ? shape.defaultSort : first
  const rest = without(search, 'sort')
  return next === shape.defaultSort ? rest : { ...rest, sort: next }
}
