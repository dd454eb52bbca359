import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ControlProps } from './control-props.ts'
import classes from './panel.module.css'

const units = [
  { value: 'm', label: 'minutes' },
  { value: 'h', label: 'hours' },
  { value: 'd', label: 'days' },
  { value: 'w', label: 'weeks' },
]
const SECONDS = { value: 's', label: 'seconds' }

/** A number and a unit: `2d`. Empty means no duration. */
export function Duration({ label, schema, value, set, fault }: ControlProps) {
  const [, amount = '', unit] = /^(.*?)([smhdw])?$/.exec(typeof value === 'string' ? value : '') ?? []
  const [kept, setKept] = useState('d')
  const shown = unit ?? kept
  return (
    <div className={classes.pair}>
      <TextInput
        label={label}
        // Users do not see the notation.
        description={schema.description?.replace(/^a time like[^;]*(?:; )?/, '') || undefined}
        inputMode="numeric"
        placeholder="0"
        value={amount}
        error={fault}
        maxLength={6}
        autoComplete="off"
        onChange={event => {
          const typed = event.currentTarget.value.replaceAll(/\D/g, '')
          set(typed === '' ? undefined : typed + shown)
        }}
      />
      <Select
        label="Unit"
        aria-label={`${label}, unit`}
        data={shown === 's' ? [SECONDS, ...units] : units}
        value={shown}
        allowDeselect={false}
        comboboxProps={{ shadow: 'md' }}
        onChange={next => {
          if (!next) return
          setKept(next)
          if (amount !== '') set(amount + next)
        }}
      />
    </div>
  )
}
