import { Checkbox, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SequenceSettings, SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { weekdays } from '#domains/sequences/values.ts'
import { officeHours } from './proposed-settings.ts'
import weekdaysClasses from '../../ui/weekdays.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './settings.module.css'
import { sequences } from '../../records/sequences/store.ts'

type Window = NonNullable<SequenceSettings['window']>

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

export function WindowSettings({ sequence }: { sequence: SequenceWithWarnings }) {
  const { window } = sequence.settings
  const put = (window: Window | null, say: string) => void sequences.change(sequence.id, { window }, say)
  return (
    <div className={classes.window}>
      <Checkbox
        label="Limit sending hours"
        checked={window !== null}
        onChange={event =>
          event.currentTarget.checked
            ? put(officeHours, 'Sends Monday to Friday, 09:00 to 17:00')
            : put(null, 'Sends at any time')
        }
      />
      {window && (
        <>
          <fieldset className={weekdaysClasses.days}>
            <legend>Days</legend>
            {weekdays.map(day => (
              <Day key={day} day={day} window={window} put={put} />
            ))}
          </fieldset>
          <Hours window={window} put={put} />
        </>
      )}
    </div>
  )
}

type PartProps = { window: Window; put: (window: Window, say: string) => void }

function Day({ day, window, put }: PartProps & { day: number }) {
  const name = dayNames[day - 1]!
  const isOn = window.days.includes(day)
  return (
    <label className={weekdaysClasses.day} data-on={isOn || undefined}>
      <input
        type="checkbox"
        checked={isOn}
        // With no day at all, nothing would ever be sent.
        disabled={isOn && window.days.length === 1}
        onChange={() => {
          const days = isOn ? window.days.filter(each => each !== day) : [...window.days, day].toSorted()
          put({ ...window, days }, isOn ? `No longer sends on ${name}` : `Also sends on ${name}`)
        }}
      />
      <span aria-hidden>{name.slice(0, 2)}</span>
      <span className={textClasses.hidden}>{name}</span>
    </label>
  )
}

function Hours({ window, put }: PartProps) {
  const [typed, setTyped] = useState<{ from: string; until: string } | null>(null)
  const { from, until } = typed ?? window
  const fault = from && until && from >= until ? 'Must be later than the start' : undefined

  /** Saved when a field loses focus: while typing, a time may be incomplete. */
  function save() {
    if (!typed || !from || !until || fault) return
    setTyped(null)
    if (from !== window.from || until !== window.until)
      put({ ...window, from, until }, `Sends from ${from} to ${until}`)
  }

  return (
    <Group gap="sm" align="flex-start">
      <TextInput
        type="time"
        label="From"
        value={from}
        w={130}
        onBlur={save}
        onChange={event => setTyped({ from: event.currentTarget.value, until })}
      />
      <TextInput
        type="time"
        label="Until"
        value={until}
        w={130}
        error={fault}
        onBlur={save}
        onChange={event => setTyped({ from, until: event.currentTarget.value })}
      />
    </Group>
  )
}
