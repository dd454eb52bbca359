import { oneOf, t, type TSchema } from '#platform/contract.ts'
import { DURATION_PATTERN } from '../duration.ts'
import { operators, RETRIES_MAX, type ActionName, type NodeType } from '../values.ts'

/**
 * A kind of node: its own fields as a schema, and the lists of nodes below it. The schema is what a definition is checked
 * by, and what the builder makes its panel from: `title` is the label, `description` the help, `control` the kind of field.
 */
export type Kind = {
  type: NodeType
  title: string
  description: string
  fields: Record<string, TSchema>
  /** The fields that contain nodes; those of a split are in its paths. */
  lists: readonly string[]
}

/** How the builder asks for a value. */
export type Control =
  | 'text'
  | 'long_text'
  | 'duration'
  | 'field'
  | 'lead_field'
  | 'value'
  | 'template'
  | 'agent'
  | 'conversation_agent'
  | 'member'
  | 'members'
  | 'recipient'
  | 'stage'
  | 'url'
  | 'money'
  | 'currency'
  | 'window'
  | 'choice'
  | 'number'
  | 'comparisons'
  | 'retry'
  | 'paths'

export const TEXT_MAX = 500
export const LONG_TEXT_MAX = 5_000
/** Names joined by dots, as data is read by them: never an expression. */
export const FIELD_PATTERN = '^[A-Za-z_][\\w-]{0,59}(?:\\.[\\w-]{1,60}){0,9}$'

type Options = { title: string; description?: string; control: Control }

export const line = (options: Options) =>
  t.String({ minLength: 1, maxLength: TEXT_MAX, pattern: '^[^\\u0000-\\u001f\\u007f]*$', ...options })
export const longText = (options: Options) =>
  t.String({ minLength: 1, maxLength: LONG_TEXT_MAX, pattern: '^[^\\u0000]*$', ...options })
export const duration = (options: Omit<Options, 'control' | 'description'> & { description?: string }) =>
  t.String({
    pattern: DURATION_PATTERN,
    control: 'duration',
    ...options,
    description: options.description ?? 'a time like 30m, 2h, 3d or 1w, at most a year',
  })
export const fieldRef = (options: Omit<Options, 'control'>) =>
  t.String({ pattern: FIELD_PATTERN, maxLength: 200, control: 'field', ...options })

export const Value = (options: Partial<Options> = {}) =>
  t.Union(
    [
      t.Number(),
      t.Boolean(),
      t.String({ maxLength: LONG_TEXT_MAX, pattern: '^[^\\u0000]*$' }),
      t.Array(t.Union([t.Number(), t.String({ maxLength: TEXT_MAX, pattern: '^[^\\u0000]*$' })]), {
        maxItems: 100,
      }),
      t.Null(),
    ],
    { title: 'Value', control: 'value', ...options },
  )

export const comparison = {
  field: fieldRef({
    title: 'Field',
    description: 'A field, like durationSec, lead.title or event.utm.source',
  }),
  op: oneOf(operators),
  value: t.Optional(Value()),
}
export const Comparison = t.Object(comparison, { additionalProperties: false })

export const name = t.Optional(
  t.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    title: 'Label',
    control: 'text',
  }),
)

export const retry = t.Optional(
  t.Object(
    {
      times: t.Integer({ minimum: 1, maximum: RETRIES_MAX, title: 'Retries' }),
      wait: t.Optional(
        duration({ title: 'First delay', description: 'a time like 5m; it doubles each time' }),
      ),
    },
    { additionalProperties: false, title: 'Retry', control: 'retry' },
  ),
)

/** What every action takes besides its own fields. */
export const actionFields = {
  name,
  retry,
  on_error: t.Optional(
    t.Unsafe<'stop' | 'continue'>(
      t.Enum(['stop', 'continue'], {
        title: 'On failure',
        control: 'choice',
        description: 'stop by default',
      }),
    ),
  ),
}

export type ActionShape = {
  action: ActionName
  title: string
  description: string
  fields: Record<string, TSchema>
}
