import { TextInput } from '@mantine/core'
import { asRecord } from '../tree.ts'
import { faultAt } from '../problems.ts'
import type { ControlProps } from './control-props.ts'
import weekdaysClasses from '../../ui/weekdays.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './panel.module.css'

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
export const officeHours = { days: [1, 2, 3, 4, 5], from: '09:00', until: '17:00' }

/** The days and hours in which the run continues. */
export function Hours({ label, path, schema, value, set, around }: ControlProps) {
  const given = asRecord(value) ?? {}
  const days = Array.isArray(given.days) ? given.days.map(Number) : []
  const put = (change: Record<string, unknown>) => set({ ...officeHours, ...given, ...change })
  return (
    <fieldset className={classes.group}>
      <legend>{label}</legend>
      {schema.description && <p className={textClasses.meta}>{schema.description}</p>}
      <div className={weekdaysClasses.days}>
        {dayNames.map((name, at) => (
          <label key={name} className={weekdaysClasses.day} data-on={days.includes(at + 1) || undefined}>
            <input
              type="checkbox"
              checked={days.includes(at + 1)}
              aria-label={name}
              onChange={event =>
                put({
                  days: event.currentTarget.checked
                    ? [...days, at + 1].toSorted((a, b) => a - b)
                    : days.filter(day => day !== at + 1),
                })
              }
            />
            <span aria-hidden>{name.slice(0, 2)}</span>
          </label>
        ))}
      </div>
      <div className={classes.pair}>
        {(['from', 'until'] as const).map(key => (
          <TextInput
            key={key}
            type="time"
            label={key === 'from' ? 'From' : 'Until'}
            value={typeof given[key] === 'string' ? given[key] : ''}
            error={faultAt(around.problems, `${path}.${key}`)}
            onChange={event => put({ [key]: event.currentTarget.value })}
          />
        ))}
      </div>
      {faultAt(around.problems, `${path}.days`) && (
        <p className={classes.fault}>{faultAt(around.problems, `${path}.days`)}</p>
      )}
    </fieldset>
  )
}
