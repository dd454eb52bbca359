import { asSentence, inPlainWords } from '../ui/words.ts'
import { valueText } from './value-text.ts'
import type { Kept } from './walk.ts'

/** A kind of record, and what changing it needs. Most kinds are changed by field name. */
export type Kind<T extends Kept, Change extends object> = {
  /** The API path, such as `/api/crm/leads`. */
  path: string
  /** Responses with such records are cached below these keys; that of a single record below the first. */
  keys: readonly [readonly string[], ...(readonly string[])[]]
  /** "lead", within a sentence. */
  one: string
  nameOf: (record: T) => string
  /** The request body. */
  bodyOf?: (change: Change) => object
  /** The record after the change. */
  changed?: (record: T, change: Change) => T
  valueOf?: (record: T, field: string) => unknown
  /** The part of a record that its version covers, if not all of it: the lines of a call arrive one by one. */
  versioned?: (record: T) => Kept
  labelOf?: (field: string) => string
  textOf?: (value: unknown, field: string) => string
  /** Reloads the lists. The stream triggers that too, but it may be disconnected. */
  refresh: () => unknown
  /** The same after a change, if lists should not be sorted and filtered again because of it. */
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

/** The change that undoes another one. */
export function reversed<T extends Kept, Change extends object>(
  rules: Rules<T, Change>,
  record: T,
  change: Change,
): Change {
  return Object.fromEntries(Object.keys(change).map(field => [field, rules.valueOf(record, field)])) as Change
}

/** The fields whose value in the record differs from the change. */
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
