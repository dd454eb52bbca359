import { sql, type RawBuilder } from 'kysely'
import { Problem } from './problem.ts'

/** A record's version is its `updated_at`: later than before even within one millisecond. */
export function nextVersion(previous: string, now: string): string {
  return now > previous ? now : new Date(Date.parse(previous) + 1).toISOString()
}

/**
 * The same in an UPDATE of many rows. Without its zone an instant plus an interval depends on no setting: a sharded database
 * refuses what does.
 */
export function laterVersion(now: string): RawBuilder<string> {
  return sql<string>`greatest(${now}::timestamptz, (updated_at at time zone 'UTC' + interval '1 ms') at time zone 'UTC')`
}

export function unchangedSince<Versioned extends { updated_at: string }>(
  record: Versioned,
  ifMatch: string | undefined,
): Versioned {
  if (ifMatch !== undefined && record.updated_at !== ifMatch) {
    throw new Problem(
      'precondition_failed',
      'This record has changed since you loaded it. Reload it and try again.',
    )
  }
  return record
}

export function etagOf(updated_at: string): string {
  return `"${Date.parse(updated_at).toString(36)}"`
}

/** The `updated_at` of an If-Match; an impossible one if it is not one of our tags. */
export function versionOf(tag: string): string | undefined {
  if (tag.trim() === '*') return undefined
  const ms = Number.parseInt(/^(?:W\/)?"([0-9a-z]{1,11})"$/.exec(tag.trim())?.[1] ?? '', 36)
  return Number.isNaN(ms) || ms > 8.64e15 ? 'never' : new Date(ms).toISOString()
}
