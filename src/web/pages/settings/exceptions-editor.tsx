import { ActionIcon, NativeSelect } from '@mantine/core'
import IconX from 'icon:x'
import { nextRange, type Exception } from './availability-fields.ts'
import { AddButton, Ranges } from './hours-editor.tsx'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'
import classes from './meeting-settings.module.css'

type Props = {
  exceptions: Exception[]
  set: (exceptions: Exception[]) => void
  faultOf: (path: string) => string | undefined
  editable: boolean
}

/** Days that are different from what the week says. */
export function ExceptionsEditor({ exceptions, set, faultOf, editable }: Props) {
  return (
    <div className={classes.exceptions}>
      {exceptions.length === 0 && (
        <p className={textClasses.dim}>None. Holidays and other days off go here.</p>
      )}
      {exceptions.length > 0 && (
        <ul className={rowsClasses.rows} aria-label="Days that are different">
          {exceptions.map((exception, index) => {
            const { day, hours } = exception
            const name = day || 'new day'
            const put = (change: Partial<Exception>) =>
              set(exceptions.with(index, { ...exception, ...change }))
            return (
              // Days are typed: while two of them are the same, their place tells them apart.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index} className={classes.day}>
                <span className={classes.range}>
                  <input
                    type="date"
                    aria-label={`Day ${index + 1}`}
                    value={day}
                    onChange={event => put({ day: event.currentTarget.value })}
                  />
                </span>
                <NativeSelect
                  size="xs"
                  className={classes.away}
                  aria-label={`What is different: ${name}`}
                  data={[
                    { value: 'away', label: 'Away' },
                    { value: 'hours', label: 'Hours' },
                  ]}
                  value={hours.length > 0 ? 'hours' : 'away'}
                  onChange={event =>
                    put({ hours: event.currentTarget.value === 'away' ? [] : [nextRange([])] })
                  }
                />
                <Ranges
                  name={name}
                  ranges={hours}
                  set={next => put({ hours: next })}
                  fault={faultOf(`exceptions.${index}`)}
                />
                {editable && (
                  <ActionIcon
                    aria-label={`Remove ${name}`}
                    onClick={() => set(exceptions.toSpliced(index, 1))}
                  >
                    <IconX size={16} />
                  </ActionIcon>
                )}
              </li>
            )
          })}
        </ul>
      )}
      {editable && (
        <div>
          <AddButton add={() => set([...exceptions, { day: '', hours: [] }])}>Add a day</AddButton>
        </div>
      )}
    </div>
  )
}
