import { mapRecords, type Kept } from './walk.ts'

/** A change that is not saved yet. It is applied on top of what the server sends meanwhile. */
export type Edit = { id: string; over: (record: Kept) => Kept }

/** No response takes longer than this. */
const ON_THE_WAY_MS = 60_000
const KEPT_MAX = 1_000

/** The latest state of records from the server, by responses or the stream, oldest first. */
const truths = new Map<string, { told: Kept; at: number }>()
const edits = new Map<string, Edit[]>()

/** The newest value of each field wins, in whatever order they arrive. */
export function learn<T extends Kept>(told: T, now = Date.now()): void {
  const before = truthOf(told.id, now)
  truths.delete(told.id)
  const isNewer = !before || before.updated_at <= told.updated_at
  truths.set(told.id, { told: isNewer ? { ...before, ...told } : { ...told, ...before }, at: now })
  if (truths.size <= KEPT_MAX) return
  for (const id of truths.keys()) {
    if (edits.has(id)) continue
    truths.delete(id)
    return
  }
}

export function truthOf(id: string, now = Date.now()): Kept | undefined {
  const truth = truths.get(id)
  return truth && (edits.has(id) || now - truth.at < ON_THE_WAY_MS) ? truth.told : undefined
}

/** Applies a change on top of the known record. */
export function begin<T extends Kept>(record: Kept, over: (record: T) => T): Edit {
  const edit = { id: record.id, over: over as unknown as Edit['over'] }
  const others = edits.get(record.id) ?? []
  // Without other edits, the record is as the server sent it.
  if (others.length === 0) learn(record)
  edits.set(record.id, [...others, edit])
  return edit
}

export function end(edit: Edit): void {
  const others = edits.get(edit.id)?.filter(each => each !== edit) ?? []
  if (others.length > 0) edits.set(edit.id, others)
  else edits.delete(edit.id)
}

/** A record of a response, as it should be shown: a response requested before a change may arrive after it. */
export function seen<T extends Kept>(record: T, now = Date.now()): T {
  const truth = truthOf(record.id, now)
  const newest = truth && truth.updated_at > record.updated_at ? { ...record, ...truth } : record
  return withEdits(newest)
}

export function seenIn<T>(answer: T): T {
  return truths.size === 0 ? answer : mapRecords(answer, record => seen(record))
}

/** A shown record, after new data arrived or an edit has ended. */
export function repainted<T extends Kept>(shown: T): T {
  const truth = truthOf(shown.id)
  return withEdits(truth && truth.updated_at >= shown.updated_at ? { ...shown, ...truth } : shown)
}

function withEdits<T extends Kept>(record: T): T {
  return (edits.get(record.id) ?? []).reduce((now, edit) => edit.over(now) as T, record)
}
