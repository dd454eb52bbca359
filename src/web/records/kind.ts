import { asSentence, inPlainWords } from '../ui/words.ts'
import { valueText } from './value-text.ts'
import type { Kept } from './walk.ts'

/** A kind of record, as far as its changes need to know it. Most kinds are changed by the names of their fields. */
export type Kind<T extends Kept, Change extends object> = {
  /** Where the server has them: `/api/crm/leads`. */
  path: string
  /** Below these, answers of the server that hold such records are kept; the one of a page below the first. */
  keys: readonly [readonly string[], ...(readonly string[])[]]
  /** "lead", within a sentence. */
  one: string
  nameOf: (record: T) => string
  /** What the server is sent. */
  bodyOf?: (change: Change) => object
  /** The record once it is changed. */
  changed?: (record: T, change: Change) => T
  valueOf?: (record: T, field: string) => unknown
  /** What of a record its version covers, where that is not all of it: the lines of a call come one by one. */
  versioned?: (record: T) => Kept
  labelOf?: (field: string) => string
  textOf?: (value: unknown, field: string) => string
  /** Reads again what there is. The stream asks for that as well, but it may be broken. */
  refresh: () => unknown
  /** The same after a change, where a list should not be sorted and filtered again because of it. */
  refreshChanged?: () => unknown
}

export type Rules<T extends Kept, Change extends object> = Required<Kind<T, Change>>

export function rulesOf<T extends Kept, Change extends object>(kind: Kind<T, Change>): Rules<T, Change> {
  return {
    bodyOf: change => change,
    changed: (record, change) => ({ ...record, ...change }),
    valueOf: (record, field) => record[field as keyof T] ?? null,
    versioned: record => record,
    labelOf: field => asSentence(inPlainWords(field)),
    textOf: valueText,
    refreshChanged: kind.refresh,
    ...kind,
  }
}

/** The change that takes another one back. */
export function reversed<T extends Kept, Change extends object>(
  rules: Rules<T, Change>,
  record: T,
  change: Change,
): Change {
  return Object.fromEntries(Object.keys(change).map(field => [field, rules.valueOf(record, field)])) as Change
}

/** Which fields of the change the record does not have as the change would make them. */
export function differing<T extends Kept, Change extends object>(
  rules: Rules<T, Change>,
  record: T,
  change: Change,
): string[] {
  return Object.entries(change)
    .filter(([field, value]) => !isSame(rules.valueOf(record, field), value ?? null))
    .map(([field]) => field)
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
