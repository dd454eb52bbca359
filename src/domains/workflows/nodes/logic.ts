import { t } from '#platform/contract.ts'
import { PATHS_MAX, TURNS_MAX, type NodeType } from '../values.ts'
import { Comparison, comparison, duration, fieldRef, name, type Kind } from './kind.ts'

const TIME_OF_DAY = '^(?:[01]\\d|2[0-3]):[0-5]\\d$'

export const condition = {
  type: 'condition',
  title: 'If / else',
  description:
    'Continues only if the condition is met. With an else branch, the following steps are the "then" branch; with both branches, they run either way.',
  fields: {
    name,
    ...comparison,
    also: t.Optional(t.Array(Comparison, { maxItems: 10, title: 'More conditions', control: 'comparisons' })),
    match: t.Optional(
      t.Unsafe<'all' | 'any'>(
        t.Enum(['all', 'any'], {
          title: 'Match',
          control: 'choice',
          description: 'all by default',
        }),
      ),
    ),
  },
  lists: ['then', 'else'],
} as const satisfies Kind

export const delay = {
  type: 'delay',
  title: 'Delay',
  description: 'Waits for a duration, until a date, or until certain hours.',
  fields: {
    name,
    delay: t.Optional(duration({ title: 'Wait for' })),
    until_field: t.Optional(
      fieldRef({
        title: 'Until date in field',
        description: 'A field with a date, like lead.custom.renewal',
      }),
    ),
    window: t.Optional(
      t.Object(
        {
          days: t.Array(t.Integer({ minimum: 1, maximum: 7 }), {
            minItems: 1,
            maxItems: 7,
            uniqueItems: true,
            description: '1 is Monday',
          }),
          from: t.String({ pattern: TIME_OF_DAY, description: 'a time like 09:00' }),
          until: t.String({ pattern: TIME_OF_DAY, description: 'a time like 17:00' }),
        },
        {
          additionalProperties: false,
          title: 'Until hours',
          description: "In the lead's time zone",
          control: 'window',
        },
      ),
    ),
  },
  lists: [],
} as const satisfies Kind

export const split = {
  type: 'split',
  title: 'Split path',
  description:
    'With percentages, each lead takes one path and always the same one. Without, all paths run in parallel.',
  fields: {
    name,
    paths: t.Array(
      t.Object(
        {
          name: t.String({
            minLength: 1,
            maxLength: 60,
            pattern: '^[^\\u0000-\\u001f\\u007f]*$',
            title: 'Name',
            control: 'text',
          }),
          percent: t.Optional(t.Number({ minimum: 0, maximum: 100, title: 'Percent', control: 'number' })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: PATHS_MAX, title: 'Paths', control: 'paths' },
    ),
  },
  lists: [],
} as const satisfies Kind

export const merge = {
  type: 'merge',
  title: 'Merge',
  description: 'Right after a split: waits for all paths, or continues with the first to finish.',
  fields: {
    name,
    wait: t.Optional(
      t.Unsafe<'all' | 'any'>(
        t.Enum(['all', 'any'], { title: 'Wait for', control: 'choice', description: 'all by default' }),
      ),
    ),
  },
  lists: [],
} as const satisfies Kind

export const loop = {
  type: 'loop',
  title: 'Loop',
  description: 'Repeats its steps for each entry of a list, or a number of times.',
  fields: {
    name,
    over: t.Optional(
      fieldRef({ title: 'For each item in', description: 'A field with a list, like event.items' }),
    ),
    times: t.Optional(
      t.Integer({ minimum: 1, maximum: TURNS_MAX, title: 'Number of times', control: 'number' }),
    ),
  },
  lists: ['nodes'],
} as const satisfies Kind

export const breakOut = {
  type: 'break',
  title: 'Break',
  description: 'Exits the loop.',
  fields: { name },
  lists: [],
} as const satisfies Kind

export const logic: Record<Exclude<NodeType, 'action'>, Kind> = {
  condition,
  delay,
  split,
  merge,
  loop,
  break: breakOut,
}
