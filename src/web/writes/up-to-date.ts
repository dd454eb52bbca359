import { latest, type Versioned } from './latest.ts'
import { isPending, onlyPending } from './pending.ts'

/** A record as the server answered, with what has changed since it was asked for and what is just being saved. */
export function upToDate<T extends Versioned & { id: string }>(
  record: T,
  knownHere: (id: string) => T | undefined,
): T {
  const now = latest(record)
  return isPending(now.id) ? { ...now, ...onlyPending(now.id, knownHere(now.id)) } : now
}
