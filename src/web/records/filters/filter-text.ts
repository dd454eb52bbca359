import type { Filter } from '#domains/fields/contract.ts'

/** A filter as an address has it. Whether its fields exist, the server knows. */
export function filterFrom(text: string | undefined): Filter | undefined {
  if (text === undefined) return undefined
  try {
    const filter: unknown = JSON.parse(text)
    return isFilter(filter) ? filter : undefined
  } catch {
    return undefined
  }
}

export function textOf(filter: Filter | undefined): string | undefined {
  return filter && JSON.stringify(filter)
}

function isFilter(filter: unknown): filter is Filter {
  if (typeof filter !== 'object' || filter === null) return false
  if ('and' in filter) return areFilters(filter.and)
  if ('or' in filter) return areFilters(filter.or)
  if ('not' in filter) return isFilter(filter.not)
  const name = 'field' in filter ? filter.field : 'activity' in filter ? filter.activity : undefined
  return typeof name === 'string' && 'op' in filter && typeof filter.op === 'string'
}

function areFilters(parts: unknown): boolean {
  return Array.isArray(parts) && parts.length > 0 && parts.every(isFilter)
}

/** What all have to apply: each is shown, changed and removed for itself. */
export function partsOf(filter: Filter): Filter[] {
  return 'and' in filter ? filter.and : [filter]
}

/** The filter without one of its parts. */
export function withoutPart(filter: Filter, at: number): Filter | undefined {
  return joined(
    'and',
    partsOf(filter).filter((_, index) => index !== at),
  )
}

/** A group of one is that one. */
export function joined(word: 'and' | 'or', parts: Filter[]): Filter | undefined {
  if (parts.length < 2) return parts[0]
  return word === 'and' ? { and: parts } : { or: parts }
}
