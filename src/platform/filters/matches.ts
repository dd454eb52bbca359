import type { Condition, FieldTest, Range, Scalar } from './conditions.ts'
import type { ActivitySpan, FilterField } from './fields.ts'
import type { FieldType } from './values.ts'

/** How often something happened with a record. */
export type Counted = (activity: string, span: ActivitySpan) => number

/** Whether one record passes: the same as the SQL of the condition, for what is at hand already. */
export function matches<Row>(condition: Condition<Row>, row: Row, counted: Counted): boolean {
  const inner = (part: Condition<Row>) => matches(part, row, counted)
  if ('all' in condition) return condition.all.every(inner)
  if ('any' in condition) return condition.any.some(inner)
  if ('none' in condition) return !inner(condition.none)
  if ('field' in condition) return passes(condition.field, condition.test, condition.field.valueIn(row))
  const { activity, span, op, value } = condition
  const count = counted(activity.name, span)
  return holds[op](count < value ? -1 : count > value ? 1 : 0)
}

const holds = {
  is: (order: number) => order === 0,
  is_not: (order: number) => order !== 0,
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
}

function passes<Row>({ type }: FilterField<Row>, test: FieldTest, value: unknown): boolean {
  const isEmpty = value === null || value === undefined || (type === 'text' && value === '')
  if ('empty' in test) return isEmpty
  if (isEmpty) return false
  if ('equals' in test) return test.equals.some(wanted => orderOf(type, value as Scalar, wanted) === 0)
  if ('contains' in test) return String(value).toLowerCase().includes(test.contains.toLowerCase())
  if ('begins' in test) return String(value).toLowerCase().startsWith(test.begins.toLowerCase())
  return Object.entries(test.range).every(([op, limit]) =>
    holds[op as keyof Range](orderOf(type, value as Scalar, limit as string)),
  )
}

/** Less than zero where the first is less. */
function orderOf(type: FieldType, left: Scalar, right: Scalar): number {
  switch (type) {
    case 'number':
      return Number(left) - Number(right)
    case 'money':
      return Number(exactly(String(left)) - exactly(String(right)))
    case 'time':
      return Date.parse(String(left)) - Date.parse(String(right))
    case 'checkbox':
      return left === right ? 0 : 1
    case 'text':
      return compare(String(left).toLowerCase(), String(right).toLowerCase())
    default:
      return compare(String(left), String(right))
  }
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

const MONEY_DIGITS = 4

function exactly(amount: string): bigint {
  const [whole = '0', part = ''] = amount.split('.')
  return BigInt(whole + part.padEnd(MONEY_DIGITS, '0'))
}
