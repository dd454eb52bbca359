/** Fields that are being saved: what the stream tells about them is already old. */
const pending = new Map<string, Map<string, number>>()

export function reserve(id: string, fields: string[]): void {
  const counts = pending.get(id) ?? new Map<string, number>()
  for (const field of fields) counts.set(field, (counts.get(field) ?? 0) + 1)
  pending.set(id, counts)
}

export function release(id: string, fields: string[]): void {
  const counts = pending.get(id)
  if (!counts) return
  for (const field of fields) {
    const left = (counts.get(field) ?? 1) - 1
    if (left > 0) counts.set(field, left)
    else counts.delete(field)
  }
  if (counts.size === 0) pending.delete(id)
}

export const isPending = (id: string) => pending.has(id)

/** Without the fields for which a newer edit is on its way. */
export function notPending<T extends object>(id: string, fields: T): Partial<T> {
  const counts = pending.get(id)
  if (!counts) return fields
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !counts.has(field))) as Partial<T>
}

/** Those fields alone for which an edit is on its way. */
export function onlyPending<T extends object>(id: string, fields: T | undefined): Partial<T> {
  const counts = pending.get(id)
  if (!counts || !fields) return {}
  return Object.fromEntries(Object.entries(fields).filter(([field]) => counts.has(field))) as Partial<T>
}
