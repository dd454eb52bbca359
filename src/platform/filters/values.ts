/** Operators, types and limits of filters, without the schemas, so that the web app needs no validator. */
export const FILTER_CONDITIONS_MAX = 50
export const FILTER_DEPTH_MAX = 5
export const FILTER_LIST_MAX = 100
export const FILTER_TEXT_LENGTH_MAX = 500
/** As it is sent in a query. */
export const FILTER_PARAMETER_LENGTH_MAX = 8_000
export const ACTIVITY_COUNT_MAX = 1_000

/** A time from or until now: `-14d`, `12h`. */
export const WITHIN = /^(-?)([1-9]\d{0,4})([mhd])$/
export const MONEY = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,4})?$/

export const fieldTypes = ['text', 'number', 'money', 'choice', 'checkbox', 'date', 'time', 'record'] as const
export type FieldType = (typeof fieldTypes)[number]

const equality = ['is', 'is_not', 'is_any_of', 'is_none_of'] as const
const emptiness = ['is_empty', 'is_not_empty'] as const
const order = ['lt', 'lte', 'gt', 'gte', 'between'] as const
const calendar = ['is', 'is_not', 'before', 'after', 'between', 'within'] as const

export const operatorsOf = {
  text: [...equality, 'contains', 'not_contains', 'begins_with', ...emptiness],
  number: [...equality, ...order, ...emptiness],
  money: [...equality, ...order, ...emptiness],
  choice: [...equality, ...emptiness],
  checkbox: ['is', 'is_not'],
  date: [...calendar, ...emptiness],
  time: [...calendar, ...emptiness],
  record: [...equality, ...emptiness],
} as const satisfies Record<FieldType, readonly Operator[]>

export const operators = [
  ...equality,
  'contains',
  'not_contains',
  'begins_with',
  ...emptiness,
  ...order,
  'before',
  'after',
  'within',
] as const
export type Operator = (typeof operators)[number]

/** How often something happened. */
export const countOperators = ['is', 'is_not', 'lt', 'lte', 'gt', 'gte'] as const
export type CountOperator = (typeof countOperators)[number]
