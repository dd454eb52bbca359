import { Problem } from './problem.ts'

/** A record's version is its `updated_at`: later than before even within one millisecond. */
export function nextVersion(previous: string, now: string): string {
  return now > previous ? now : new Date(Date.parse(previous) + 1).toISOString()
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
