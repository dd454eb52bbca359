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

/** Dates with hours other than the weekly ones. */
export function ExceptionsEditor({ exceptions, set, faultOf, editable }: Props) {
  return (
    <div className={classes.exceptions}>
      {exceptions.length === 0 && (
        <p className={textClasses.dim}>None yet. Add holidays and other days off.</p>
      )}
      {exceptions.length > 0 && (
        <ul className={rowsClasses.rows} aria-label="Date overrides">
          {exceptions.map((exception, index) => {
            const { day, hours } = exception
            const name = day || 'new date'
            const put = (change: Partial<Exception>) =>
              set(exceptions.with(index, { ...exception, ...change }))
            return (
              // Two dates can be equal while they are edited: only the index tells them apart.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index} className={classes.day}>
                <span className={classes.range}>
                  <input
                    type="date"
                    aria-label={`Date ${index + 1}`}
                    value={day}
                    onChange={event => put({ day: event.currentTarget.value })}
                  />
                </span>
                <NativeSelect
                  size="xs"
                  className={classes.away}
                  aria-label={`Availability: ${name}`}
                  data={[
                    { value: 'away', label: 'Unavailable' },
                    { value: 'hours', label: 'Custom hours' },
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
          <AddButton add={() => set([...exceptions, { day: '', hours: [] }])}>Add date</AddButton>
        </div>
      )}
    </div>
  )
}
