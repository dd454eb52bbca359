import { queryClient } from '../query-client.ts'
import { learn, repainted } from './edits.ts'
import { findRecord, mapRecords, type Kept } from './walk.ts'

/** The record from any cached list, board or page below one of the keys: the newest, as a list out of sight may be old. */
export function known<T extends Kept>(id: string, keys: readonly (readonly string[])[]): T | undefined {
  let newest: Kept | undefined
  for (const queryKey of keys) {
    for (const [, answer] of queryClient.getQueriesData({ queryKey })) {
      const found = findRecord(answer, id)
      if (found && (!newest || newest.updated_at < found.updated_at)) newest = found
    }
  }
  return newest as T | undefined
}

/** The record with all cached fields: a list may hold fewer of them than its page. */
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

/** Records from the server, by a response or the stream. */
export function put<T extends Kept>(...records: T[]): void {
  for (const record of records) learn(record)
  repaint(...records.map(({ id }) => id))
}

/** For fields without a version, such as the last activity, until they are loaded again. */
export function patch(id: string, fields: object): void {
  mapShown(record => (record.id === id ? { ...record, ...fields } : record))
}

function mapShown(map: (record: Kept) => Kept): void {
  for (const query of queryClient.getQueryCache().getAll()) {
    const { data, dataUpdatedAt, isInvalidated } = query.state
    const shown = mapRecords(data, map)
    if (shown === data) continue
    query.setData(shown, { updatedAt: dataUpdatedAt, manual: true })
    // Its age has not changed: if it was stale, it still is.
    if (isInvalidated) query.invalidate()
  }
}
