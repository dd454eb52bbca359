export type Versioned = { updated_at: string }

/** What changed of a record, and its version since. */
export type Told<T = object> = Partial<T> & Versioned

/** No answer takes longer than this. */
const ON_THE_WAY_MS = 60_000
const KEPT_MAX = 1_000

/** The last changes of records that this window knows of, its own and those of others, the oldest first. */
const changes = new Map<string, { told: Told; at: number }>()

export function hear<T>(id: string, told: Told<T>, now = Date.now()): void {
  const before = known(id, now)
  changes.delete(id)
  const isNewer = !before || before.updated_at <= told.updated_at
  changes.set(id, { told: isNewer ? { ...before, ...told } : { ...told, ...before }, at: now })
  if (changes.size > KEPT_MAX) changes.delete(changes.keys().next().value!)
}

/** What was asked for before a change may arrive after it: the record with what is known by now. */
export function latest<T extends Versioned & { id: string }>(record: T, now = Date.now()): T {
  const told = known(record.id, now)
  return told && told.updated_at > record.updated_at ? { ...record, ...told } : record
}

function known(id: string, now: number): Told | undefined {
  const change = changes.get(id)
  return change && now - change.at < ON_THE_WAY_MS ? change.told : undefined
}
