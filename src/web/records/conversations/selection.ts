import { BULK_MAX } from '#domains/conversations/values.ts'

/** What is selected in a list, and from where a range reaches. */
export type Chosen = {
  ids: ReadonlySet<string>
  /** Selected apart from the range. */
  others: ReadonlySet<string>
  /** Where the range begins and ends. */
  from: string | null
  to: string | null
}

export const nothing: Chosen = { ids: new Set(), others: new Set(), from: null, to: null }

/** Selects a row, or deselects it. */
export function toggled({ ids }: Chosen, id: string): Chosen {
  const next = new Set(ids)
  if (!next.delete(id) && next.size < BULK_MAX) next.add(id)
  return { ids: next, others: next, from: id, to: id }
}

/** Selects the rows from where the range began to this one; those the range had before are let go. */
export function extended({ others, from }: Chosen, order: readonly string[], id: string): Chosen {
  const end = order.indexOf(id)
  const known = from === null ? -1 : order.indexOf(from)
  const begin = known < 0 ? end : known
  const range = begin <= end ? order.slice(begin, end + 1) : order.slice(end, begin + 1).toReversed()
  const ids = bounded([...others, ...range])
  return { ids, others, from: order[begin] ?? null, to: id }
}

/** The first rows, as many as can be changed at once. */
export function allOf(order: readonly string[]): Chosen {
  const ids = bounded(order)
  return { ids, others: ids, from: null, to: null }
}

/** Adds rows that a change has not reached. */
export function added({ ids }: Chosen, more: readonly string[]): Chosen {
  const all = bounded([...ids, ...more])
  return { ids: all, others: all, from: null, to: null }
}

function bounded(ids: readonly string[]): Set<string> {
  return new Set([...new Set(ids)].slice(0, BULK_MAX))
}
