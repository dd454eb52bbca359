import { isInstant } from './clock.ts'
import { Problem } from './problem.ts'

/** A place in a sorted list. Opaque to callers; a forged one is an error, never a crash or another team's row. */
export function encodeCursor(parts: readonly (string | null)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

export function decodeCursor(cursor: string, length: number): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(parts) && parts.length === length && parts.every(isPart)) return parts
  } catch {
    // Falls through to the same answer as a cursor of the wrong shape.
  }
  throw malformed()
}

function malformed(): Problem {
  return new Problem('malformed', 'The cursor is not valid for this list.', { code: 'invalid_cursor' })
}

const PART_LENGTH_MAX = 1000

function isPart(part: unknown): part is string {
  return typeof part === 'string' && part.length <= PART_LENGTH_MAX && !part.includes('\0')
}

/** The usual list: by creation, then id. */
export function decodeInstantCursor(cursor: string): [string, string] {
  const [at, id] = decodeCursor(cursor, 2)
  if (!isInstant(at!)) throw malformed()
  return [at!, id!]
}

/** Cuts the extra row that tells whether there is more, and returns where to continue. */
export function pageOf<Row extends { created_at: string; id: string }>(rows: Row[], limit: number) {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: rows.length > limit && last ? encodeCursor([last.created_at, last.id]) : null }
}
