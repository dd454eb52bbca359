import type { CountOperator, FieldType, Operator } from '#platform/filters/values.ts'
import { operatorsOf } from '#platform/filters/values.ts'

/** After the name of the field: "Industry contains lift". */
const words: Record<Operator, string> = {
  is: 'is',
  is_not: 'is not',
  is_any_of: 'is any of',
  is_none_of: 'is not any of',
  contains: 'contains',
  not_contains: 'does not contain',
  begins_with: 'begins with',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
  lt: 'is less than',
  lte: 'is at most',
  gt: 'is more than',
  gte: 'is at least',
  between: 'is between',
  before: 'is before',
  after: 'is after',
  within: 'is within',
}

export function operatorInWords(op: Operator): string {
  return words[op]
}

/** What a condition begins with when its field has just been chosen. */
const usual: Record<FieldType, Operator> = {
  text: 'contains',
  number: 'gte',
  money: 'gte',
  choice: 'is_any_of',
  checkbox: 'is',
  date: 'within',
  time: 'within',
  record: 'is_any_of',
}

export function usualOperator(type: FieldType): Operator {
  return usual[type]
}

/** Those that a person is offered: the others say the same in another way. */
export function offeredOperators(type: FieldType, of: string | undefined): Operator[] {
  if (type === 'checkbox') return ['is']
  if (type === 'record' && of !== 'member') return ['is_empty', 'is_not_empty']
  const all: readonly Operator[] = operatorsOf[type]
  return type === 'number' || type === 'money' ? all.filter(op => !takesList(op)) : [...all]
}

export const countWords: Record<CountOperator, string> = {
  gte: 'at least',
  lte: 'at most',
  is: 'exactly',
  is_not: 'not exactly',
  gt: 'more than',
  lt: 'fewer than',
}

export function takesNothing(op: Operator): boolean {
  return op === 'is_empty' || op === 'is_not_empty'
}

export function takesList(op: Operator): boolean {
  return op === 'is_any_of' || op === 'is_none_of'
}
