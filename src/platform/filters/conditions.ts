import { dayOf, instantOf } from '#platform/zone.ts'
import type { Comparison, Filter, FilterValue } from './filter.ts'
import type { ActivitySpan, Filterable, FilterActivity, FilterField } from './fields.ts'
import { WITHIN, type CountOperator } from './values.ts'

/**
 * What a filter means, once it is known to be right: few kinds of conditions on fields, with spans of time that no longer
 * depend on the clock. SQL and `matches` are both made from this, so that a list and a workflow agree.
 */
export type Condition<Row> =
  | { all: Condition<Row>[] }
  | { any: Condition<Row>[] }
  | { none: Condition<Row> }
  | { field: FilterField<Row>; test: FieldTest }
  | { activity: FilterActivity; span: ActivitySpan; op: CountOperator; value: number }

export type FieldTest =
  | { empty: true }
  | { equals: Scalar[] }
  | { contains: string }
  | { begins: string }
  | { range: Range }
export type Scalar = string | number | boolean
export type Range = { gt?: string; gte?: string; lt?: string; lte?: string }

const DAY_MS = 86_400_000

export type Moment = { now: number; zone: string }

export function conditionOf<Row>(
  filter: Filter,
  filterable: Filterable<Row>,
  moment: Moment,
): Condition<Row> {
  const inner = (part: Filter) => conditionOf(part, filterable, moment)
  if ('and' in filter) return { all: filter.and.map(inner) }
  if ('or' in filter) return { any: filter.or.map(inner) }
  if ('not' in filter) return { none: inner(filter.not) }
  if ('activity' in filter) {
    const { op, value, within } = filter
    const activity = filterable.activities.find(({ name }) => name === filter.activity)!
    return { activity, span: within === undefined ? {} : spanOf(within, moment.now), op, value }
  }
  const field = filterable.fields.find(({ name }) => name === filter.field)!
  return compared(field, filter, moment)
}

function compared<Row>(field: FilterField<Row>, { op, value }: Comparison, moment: Moment): Condition<Row> {
  const is = (test: FieldTest): Condition<Row> => ({ field, test })
  const isNot = (test: FieldTest): Condition<Row> => ({ none: is(test) })
  switch (op) {
    case 'is':
      return same(field, value!, moment)
    case 'is_not':
      return { none: same(field, value!, moment) }
    case 'is_any_of':
      return is({ equals: value as Scalar[] })
    case 'is_none_of':
      return isNot({ equals: value as Scalar[] })
    case 'contains':
      return is({ contains: value as string })
    case 'not_contains':
      return isNot({ contains: value as string })
    case 'begins_with':
      return is({ begins: value as string })
    case 'is_empty':
      return is({ empty: true })
    case 'is_not_empty':
      return isNot({ empty: true })
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return is({ range: { [op]: String(value) } })
    default:
      return is({ range: rangeOf(field, op, value!, moment) })
  }
}

function same<Row>(field: FilterField<Row>, value: FilterValue, moment: Moment): Condition<Row> {
  // A checkbox that nobody has touched is not ticked.
  if (field.type === 'checkbox' && value === false) return { none: { field, test: { equals: [true] } } }
  if (field.type !== 'time') return { field, test: { equals: [value as Scalar] } }
  const at = momentsOf(value as string, moment.zone)
  return {
    field,
    test: { range: at.next ? { gte: at.first, lt: at.next } : { gte: at.first, lte: at.first } },
  }
}

function rangeOf<Row>(
  { type }: FilterField<Row>,
  op: 'before' | 'after' | 'between' | 'within',
  value: FilterValue,
  moment: Moment,
): Range {
  if (op === 'within') return withinOf(type, value as string, moment)
  const [first, last] = op === 'between' ? (value as Scalar[]) : [value as Scalar, value as Scalar]
  const isTime = type === 'time'
  const [from, until] = [first, last].map(each =>
    isTime ? momentsOf(each as string, moment.zone) : { first: String(each), next: undefined },
  ) as [Moments, Moments]
  if (op === 'before') return { lt: from.first }
  if (op === 'after') return until.next ? { gte: until.next } : { gt: until.first }
  return until.next ? { gte: from.first, lt: until.next } : { gte: from.first, lte: until.first }
}

function withinOf(type: string, span: string, { now, zone }: Moment): Range {
  const { from, until } = spanOf(span, now)
  if (type === 'time') return { gte: from!, lte: until! }
  return { gte: dayOf(Date.parse(from!), zone), lte: dayOf(Date.parse(until!), zone) }
}

/** `-14d`: from two weeks ago until now. `14d`: from now on for two weeks. */
function spanOf(within: string, now: number): ActivitySpan {
  const there = now + msOf(within)
  return {
    from: new Date(Math.min(now, there)).toISOString(),
    until: new Date(Math.max(now, there)).toISOString(),
  }
}

export function msOf(within: string): number {
  const [, sign, count, unit] = WITHIN.exec(within)!
  return (sign ? -1 : 1) * Number(count) * { m: 60_000, h: 3_600_000, d: DAY_MS }[unit as 'm' | 'h' | 'd']
}

type Moments = { first: string; next: string | undefined }

/** An instant is itself; a day lasts until the next begins. */
function momentsOf(text: string, zone: string): Moments {
  if (text.length > 10) return { first: new Date(text).toISOString(), next: undefined }
  const wall = Date.parse(`${text}T00:00:00Z`)
  const at = (ms: number) => new Date(instantOf(ms, zone)).toISOString()
  return { first: at(wall), next: at(wall + DAY_MS) }
}
