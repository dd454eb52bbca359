import { ActionIcon, Button, Select } from '@mantine/core'
import IconPlus from 'icon:plus'
import IconX from 'icon:x'
import { FILTERS_MAX } from '#domains/workflows/values.ts'
import { asRecord, type TreeNode } from '../tree.ts'
import { faultAt } from '../problems.ts'
import type { Around, ControlProps } from './control-props.ts'
import { FieldName } from './field-name.tsx'
import { Value } from './value.tsx'
import { asSentence } from '../../ui/words.ts'
import textClasses from '../../ui/text.module.css'
import classes from './panel.module.css'

export type Comparison = { field?: unknown; op?: unknown; value?: unknown }

const CONDITIONS_MAX = 10
/** Offered as a separate operator: `exists` with the value false. */
const NOT_THERE = 'not there'

type Props = {
  /** Tells several comparisons apart, like "Filter 2". */
  name?: string
  path: string
  value: Comparison
  set: (change: Comparison) => void
  around: Around
}

/** A field, an operator and a value. */
export function ComparisonFields({ name = '', path, value, set, around }: Props) {
  const op = typeof value.op === 'string' ? value.op : '=='
  const own = { schema: {}, around, node: value as TreeNode }
  const isAbsent = op === 'exists' && value.value === false
  const faultOf = (key: string) => faultAt(around.problems, `${path}.${key}`)
  return (
    <div className={classes.comparison}>
      <FieldName
        {...own}
        label={name ? `${name} field` : 'Field'}
        path={`${path}.field`}
        value={value.field}
        fault={faultOf('field') && (value.field ? faultOf('field') : 'Choose a field.')}
        set={field => set({ field })}
      />
      <Select
        label={name ? `${name} operator` : 'Operator'}
        data={[
          ...around.catalog.operators.map(({ op, label }) => ({ value: op, label })),
          { value: NOT_THERE, label: 'does not exist' },
        ]}
        value={isAbsent ? NOT_THERE : op}
        error={faultOf('op')}
        allowDeselect={false}
        comboboxProps={{ shadow: 'md' }}
        onChange={next => {
          if (next === NOT_THERE) set({ op: 'exists', value: false })
          else if (next === 'exists') set({ op: next, value: undefined })
          else set({ op: next, ...(op === 'exists' && { value: '' }) })
        }}
      />
      {op !== 'exists' && (
        <Value
          {...own}
          op={op}
          label={name ? `${name} value` : 'Value'}
          path={`${path}.value`}
          value={value.value}
          fault={faultOf('value')}
          set={next => set({ value: next ?? '' })}
        />
      )}
    </div>
  )
}

/** A list of comparisons. */
export function Comparisons({ label, path, schema, value, set, around }: ControlProps) {
  const all = Array.isArray(value) ? value.map(each => (asRecord(each) ?? {}) as Comparison) : []
  // They have no names: the index identifies one.
  const placed = all.map((each, at) => ({ each, at }))
  const noun = label === 'Filters' ? 'filter' : 'condition'
  return (
    <fieldset className={classes.group}>
      <legend>{label}</legend>
      {schema.description && <p className={textClasses.meta}>{schema.description}</p>}
      {placed.map(({ each, at }) => (
        <div key={at} className={classes.line}>
          <ComparisonFields
            name={asSentence(`${noun} ${at + 1}`)}
            path={`${path}[${at}]`}
            value={each}
            around={around}
            set={change => set(all.with(at, merged(each, change)))}
          />
          {around.canWrite && (
            <ActionIcon
              aria-label={`Remove ${noun} ${at + 1}`}
              onClick={() => set(all.length === 1 && noun === 'condition' ? undefined : all.toSpliced(at, 1))}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </div>
      ))}
      {around.canWrite && all.length < (noun === 'filter' ? FILTERS_MAX : CONDITIONS_MAX) && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => set([...all, { field: '', op: '==', value: '' }])}
        >
          {`Add ${noun}`}
        </Button>
      )}
    </fieldset>
  )
}

function merged(before: Comparison, change: Comparison): Comparison {
  const entries = Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Comparison
}
