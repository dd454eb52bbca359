import { oneOf, t, type Static } from '#platform/contract.ts'
import {
  countOperators,
  FILTER_CONDITIONS_MAX,
  FILTER_PARAMETER_LENGTH_MAX,
  fieldTypes,
  operators,
  type CountOperator,
  type Operator,
} from './values.ts'

/** What records have to be like. All of it is data: nothing in a filter is ever run. */
export type Filter = { and: Filter[] } | { or: Filter[] } | { not: Filter } | Comparison | ActivityCount
export type Comparison = { field: string; op: Operator; value?: FilterValue }
export type FilterValue = string | number | boolean | (string | number)[]
export type ActivityCount = { activity: string; op: CountOperator; value: number; within?: string }

const EXAMPLE = { field: 'created_at', op: 'after', value: '2026-03-31' } as const

/** Judged by `faultsInFilter`, which knows the fields of the record: a filter contains filters. */
export const Filter = t.Unsafe<Filter>(
  t.Object(
    {
      and: t.Optional(
        t.Array(t.Unknown(), { maxItems: FILTER_CONDITIONS_MAX, description: 'Filters that all apply' }),
      ),
      or: t.Optional(
        t.Array(t.Unknown(), {
          maxItems: FILTER_CONDITIONS_MAX,
          description: 'Filters of which at least one applies',
        }),
      ),
      not: t.Optional(t.Unknown({ description: 'A filter that does not apply' })),
      field: t.Optional(t.String({ description: 'A field of `GET /api/crm/fields`' })),
      activity: t.Optional(
        t.String({ description: 'Something that happens with the record, to be counted' }),
      ),
      op: t.Optional(oneOf(operators)),
      value: t.Optional(t.Unknown({ description: 'Text, a number, true, false or a list' })),
      within: t.Optional(t.String({ description: 'Count the activity within this time, like -30d' })),
    },
    { $id: 'Filter', additionalProperties: false, examples: [EXAMPLE] },
  ),
)

/** In the query of a list. */
export const FilterParameter = t.Optional(
  t.String({
    maxLength: FILTER_PARAMETER_LENGTH_MAX,
    description: 'A filter as JSON',
    examples: [JSON.stringify(EXAMPLE)],
  }),
)

/** Whether somebody sent a filter where fields with their values are taken too. */
export function isFilter(value: object): value is Filter {
  return ['and', 'or', 'not', 'field', 'activity'].some(name => Object.hasOwn(value, name))
}

export const FieldDescription = t.Object(
  {
    name: t.String(),
    label: t.String(),
    type: oneOf(fieldTypes),
    operators: t.Array(oneOf(operators)),
    options: t.Optional(t.Array(t.String(), { description: 'The values of a choice' })),
    of: t.Optional(t.String({ description: 'The kind of record it refers to' })),
  },
  { $id: 'FieldDescription' },
)
export type FieldDescription = Static<typeof FieldDescription>

export const ActivityDescription = t.Object(
  { name: t.String(), label: t.String(), operators: t.Array(oneOf(countOperators)) },
  { $id: 'ActivityDescription' },
)
export type ActivityDescription = Static<typeof ActivityDescription>
