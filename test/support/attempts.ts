import { expect } from 'vitest'
import type { Writes } from './writes.ts'

const AT_ONCE = 6
const REASON_LENGTH_MAX = 400

type Options = {
  /** One after another where the attempts would get into each other's way. */
  atOnce?: number
  /** Nothing may be written meanwhile. */
  writes?: Writes
}

/**
 * Tries each of them and tells of all that failed: a test that walks hundreds of operations is one test, and names every
 * offender instead of the first.
 */
export async function failuresOf<Item extends { name: string }>(
  items: readonly Item[],
  attempt: (item: Item, turn: number) => Promise<unknown>,
  { atOnce = AT_ONCE, writes }: Options = {},
): Promise<string[]> {
  const failures: string[] = []
  for (let first = 0; first < items.length; first += atOnce) {
    const group = items.slice(first, first + atOnce)
    await writes?.forget()
    const outcomes = await Promise.allSettled(group.map(async (item, at) => attempt(item, first + at)))
    for (const [at, outcome] of outcomes.entries())
      if (outcome.status === 'rejected') failures.push(`${group[at]!.name}: ${reasonOf(outcome.reason)}`)
    const written = (await writes?.made()) ?? []
    if (written.length > 0)
      failures.push(`${group.map(({ name }) => name).join(' or ')}: wrote ${written.join(', ')}`)
  }
  return failures
}

/** The end of a long log shows the first of them, instead of how many there are. */
export function expectNone(failures: readonly string[]): void {
  expect(failures, failures.join('\n')).toEqual([])
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/\s+/g, ' ').slice(0, REASON_LENGTH_MAX)
}
