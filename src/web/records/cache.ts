import { queryClient } from '../query-client.ts'
import { learn, repainted } from './edits.ts'
import { findRecord, mapRecords, type Kept } from './walk.ts'

/** The record as any list, board or page in this window knows it whose answers are kept below one of the keys. */
export function known<T extends Kept>(id: string, keys: readonly (readonly string[])[]): T | undefined {
  for (const queryKey of keys) {
    for (const [, answer] of queryClient.getQueriesData({ queryKey })) {
      const found = findRecord(answer, id)
      if (found) return found as T
    }
  }
  return undefined
}

/** The record with every field that any of them knows: a list may hold less of a record than its page. */
export function knownWhole<T extends Kept>(id: string): T | undefined {
  let whole: T | undefined
  for (const { state } of queryClient.getQueryCache().getAll()) {
    const found = findRecord(state.data, id) as T | undefined
    if (!found) continue
    whole = !whole || whole.updated_at <= found.updated_at ? { ...whole, ...found } : { ...found, ...whole }
  }
  return whole
}

/** Updates these records wherever they are on screen. */
export function repaint(...ids: string[]): void {
  const wanted = new Set(ids)
  mapShown(record => (wanted.has(record.id) ? repainted(record) : record))
}

/** What the server said of records, to us or through the stream. */
export function put<T extends Kept>(...records: T[]): void {
  for (const record of records) learn(record)
  repaint(...records.map(({ id }) => id))
}

/** Fields that have no version of their own, such as the last activity: until they are read again. */
export function patch(id: string, fields: object): void {
  mapShown(record => (record.id === id ? { ...record, ...fields } : record))
}

function mapShown(map: (record: Kept) => Kept): void {
  for (const query of queryClient.getQueryCache().getAll()) {
    const { data, dataUpdatedAt, isInvalidated } = query.state
    const shown = mapRecords(data, map)
    if (shown === data) continue
    query.setData(shown, { updatedAt: dataUpdatedAt, manual: true })
    // It is as old as before: what was to be read again still is.
    if (isInvalidated) query.invalidate()
  }
}
