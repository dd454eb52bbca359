import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import type { Condition, FieldTest, Range, Scalar } from './conditions.ts'
import type { FilterField } from './fields.ts'

/**
 * A condition as SQL. What is not known is never true: a part may be null, and `is not true` is the opposite of both null and
 * false, so that "is not" also finds what is empty.
 */
export function conditionSql<Row>(ctx: Context, condition: Condition<Row>): RawBuilder<unknown> {
  const inner = (part: Condition<Row>) => conditionSql(ctx, part)
  if ('all' in condition) return joined(condition.all.map(inner), sql` and `)
  if ('any' in condition) return joined(condition.any.map(inner), sql` or `)
  if ('none' in condition) return sql`((${inner(condition.none)}) is not true)`
  if ('field' in condition) return sql`(${testSql(condition.field, condition.test)})`
  const { activity, span, op, value } = condition
  return sql`((${activity.count(ctx, span, value + 1)}) ${sql.raw(comparisonSigns[op])} ${value})`
}

const comparisonSigns = { is: '=', is_not: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

function joined(parts: RawBuilder<unknown>[], word: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${sql.join(parts, word)})`
}

function testSql<Row>(field: FilterField<Row>, test: FieldTest): RawBuilder<unknown> {
  const { column, type } = field
  if ('empty' in test) return type === 'text' ? sql`coalesce(${column}, '') = ''` : sql`${column} is null`
  if ('equals' in test) return equalsSql(field, test.equals)
  if ('contains' in test) return sql`${lowered(field)} like ${`%${patternOf(test.contains)}%`}`
  if ('begins' in test) return sql`${lowered(field)} like ${`${patternOf(test.begins)}%`}`
  return rangeSql(field, test.range)
}

function equalsSql<Row>(field: FilterField<Row>, values: Scalar[]): RawBuilder<unknown> {
  const isText = field.type === 'text'
  const left = isText ? lowered(field) : field.column
  const rights = values.map(value => valueSql(field, isText ? String(value).toLowerCase() : value))
  // One by one, since the index of facets knows no lists (docs/decisions/0028).
  return joined(
    rights.map(right => sql`${left} = ${right}`),
    sql` or `,
  )
}

function rangeSql<Row>(field: FilterField<Row>, range: Range): RawBuilder<unknown> {
  const parts = Object.entries(range).map(
    ([op, value]) =>
      sql`${field.column} ${sql.raw(comparisonSigns[op as keyof Range])} ${valueSql(field, value as string)}`,
  )
  return joined(parts, sql` and `)
}

function valueSql<Row>({ type, name }: FilterField<Row>, value: Scalar): RawBuilder<unknown> {
  switch (type) {
    case 'number':
    case 'money':
      return sql`${String(value)}::numeric`
    case 'time':
      return sql`${value}::timestamptz`
    case 'date':
      return name.startsWith('custom.') ? sql`${value}::text` : sql`${value}::date`
    case 'checkbox':
      return sql`${value}::boolean`
    default:
      return sql`${value}::text`
  }
}

function lowered<Row>({ column, lowered }: FilterField<Row>): RawBuilder<unknown> {
  return lowered ?? sql`lower(${column})`
}

function patternOf(text: string): string {
  return text.toLowerCase().replace(/[\\%_]/g, '\\$&')
}
