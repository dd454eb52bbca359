import { Checkbox, TextInput } from '@mantine/core'
import { asRecord } from '../tree.ts'
import { faultAt } from '../problems.ts'
import type { ControlProps } from './control-props.ts'
import { Duration } from './duration.tsx'
import classes from './panel.module.css'

const usual = { times: 3, wait: '5m' }

/** How often a failed action is retried. */
export function Retry(props: ControlProps) {
  const { path, value, set, around } = props
  const given = asRecord(value)
  const times = given?.times
  return (
    <fieldset className={classes.group}>
      <Checkbox
        label="Retry on failure"
        checked={given !== undefined}
        onChange={event => set(event.currentTarget.checked ? usual : undefined)}
      />
      {given && (
        <>
          <TextInput
            label="Retries"
            inputMode="numeric"
            value={typeof times === 'number' || typeof times === 'string' ? String(times) : ''}
            error={faultAt(around.problems, `${path}.times`)}
            maxLength={2}
            autoComplete="off"
            onChange={event => {
              const typed = event.currentTarget.value
              set({ ...given, times: /^\d+$/.test(typed) ? Number(typed) : typed })
            }}
          />
          <Duration
            {...props}
            label="First delay"
            schema={{ description: 'Doubles after each retry' }}
            value={given.wait}
            fault={faultAt(around.problems, `${path}.wait`)}
            set={wait => set(wait === undefined ? { times } : { ...given, wait })}
          />
        </>
      )}
    </fieldset>
  )
}
