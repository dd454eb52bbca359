/** What every record has: a unique id, and the time of its last change, which is its version. */
export type Kept = { id: string; updated_at: string }

function isKept(value: object): value is Kept {
  const { id, updated_at } = value as Partial<Kept>
  return typeof id === 'string' && typeof updated_at === 'string'
}

/** Maps each record in a response, however deep. Parts without changes stay the same objects. */
export function mapRecords<T>(answer: T, map: (record: Kept) => Kept): T {
  if (typeof answer !== 'object' || answer === null) return answer
  if (isKept(answer)) return map(answer) as T
  if (Array.isArray(answer)) return mapItems(answer, map) as T
  if (Object.getPrototypeOf(answer) !== Object.prototype) return answer
  let mapped: Record<string, unknown> | undefined
  for (const [key, value] of Object.entries(answer)) {
    const now = mapRecords<unknown>(value, map)
    if (now !== value) (mapped ??= { ...(answer as Record<string, unknown>) })[key] = now
  }
  return (mapped ?? answer) as T
}

function mapItems(items: unknown[], map: (record: Kept) => Kept): unknown[] {
  let mapped: unknown[] | undefined
  for (const [at, item] of items.entries()) {
    const now = mapRecords(item, map)
    if (now !== item) (mapped ??= [...items])[at] = now
  }
  return mapped ?? items
}

export function findRecord(answer: unknown, id: string): Kept | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  if (isKept(answer)) return answer.id === id ? answer : undefined
  for (const value of Array.isArray(answer) ? answer : Object.values(answer)) {
    const found = findRecord(value, id)
    if (found) return found
  }
  return undefined
}
