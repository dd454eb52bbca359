import type { Problem } from '#platform/problem.ts'
import type { Done } from '../state.ts'

type Fields = Record<string, unknown>

export function done(input: Fields, result: Fields, note: string): Done {
  return { ok: true, input, result, note }
}

/** It was not to be done, and that is no failure. */
export function skipped(input: Fields, note: string): Done {
  return { ok: true, skipped: true, input, note }
}

export function failed(input: Fields, reason: string): Done {
  return { ok: false, input, reason }
}

/** In the words of the use case that refused it. */
export function refused(input: Fields, { message, errors }: Problem): Done {
  return failed(input, errors?.map(wordsOf).join('; ') ?? message)
}

export function wordsOf({ path, message }: { path: string; message: string }): string {
  return path ? `${path}: ${message}` : message
}
