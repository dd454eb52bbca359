import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#platform/context.ts'
import type { CustomField } from '#platform/custom-fields.ts'
import type { FieldType } from './values.ts'

/** A field that records are filtered by: where it is in the database, and in the record itself. */
export type FilterField<Row> = {
  name: string
  label: string
  type: FieldType
  options?: readonly string[]
  /** The kind of record it refers to. */
  of?: string
  /** Null where the record has no value. */
  column: RawBuilder<unknown>
  /** The same in lower case, where it is kept so; never null. */
  lowered?: RawBuilder<unknown>
  valueIn: (row: Row) => unknown
}

/** Something that happens with a record, and is counted. */
export type FilterActivity = {
  name: string
  label: string
  /** How often it happened, up to `limit`; between these times. */
  count: (ctx: Context, span: ActivitySpan, limit: number) => RawBuilder<unknown>
}
export type ActivitySpan = { from?: string; until?: string }

/** Everything that one kind of record can be filtered by. */
export type Filterable<Row> = { fields: readonly FilterField<Row>[]; activities: readonly FilterActivity[] }

export type OwnField<Row> = {
  name: keyof Row & string
  label: string
  type: FieldType
  /** The values of a choice. */
  options?: readonly string[]
  /** The kind of record it refers to. */
  of?: string
  /** The column that has it in lower case, never null. */
  lowered?: string
}

/** Fields that are columns of the record's own table. */
export function ownFilterFields<Row>(table: string, fields: readonly OwnField<Row>[]): FilterField<Row>[] {
  return fields.map(({ name, lowered, ...described }) => ({
    ...described,
    name,
    column: sql.ref(`${table}.${name}`),
    ...(lowered && { lowered: sql.ref(`${table}.${lowered}`) }),
    valueIn: row => row[name],
  }))
}

/** The team's own fields. A value of another type, from before its field was changed, counts as none. */
export function customFilterFields<Row extends { custom: Record<string, unknown> }>(
  table: string,
  fields: readonly CustomField[],
): FilterField<Row>[] {
  return fields.map(({ key, label, kind, options }) => {
    const { type, jsonType, cast } = customKinds[kind]
    const value = sql`${sql.ref(`${table}.custom`)} -> ${key}::text`
    const text = sql`${sql.ref(`${table}.custom`)} ->> ${key}::text`
    const isDate = type === 'date' ? sql` and (${text}) ~ '^\\d{4}-\\d{2}-\\d{2}$'` : sql``
    return {
      name: `custom.${key}`,
      label,
      type,
      ...(options && { options }),
      column: sql`(case when jsonb_typeof(${value}) = ${jsonType}::text${isDate} then (${text})${cast} end)`,
      valueIn: ({ custom }) => ofKind(custom[key], jsonType, type),
    }
  })
}

const customKinds = {
  text: { type: 'text', jsonType: 'string', cast: sql`` },
  number: { type: 'number', jsonType: 'number', cast: sql`::numeric` },
  checkbox: { type: 'checkbox', jsonType: 'boolean', cast: sql`::boolean` },
  // Days compare as texts too, and texts of another form would stop the whole list.
  date: { type: 'date', jsonType: 'string', cast: sql`` },
  choice: { type: 'choice', jsonType: 'string', cast: sql`` },
} as const

function ofKind(value: unknown, jsonType: string, type: FieldType): unknown {
  if (typeof value !== jsonType) return null
  return type === 'date' && !/^\d{4}-\d{2}-\d{2}$/.test(value as string) ? null : value
}
